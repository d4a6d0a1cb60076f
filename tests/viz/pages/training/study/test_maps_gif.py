"""The moving picture of the maps: its frames, and the colours of its cells."""

import io

import numpy as np
from PIL import Image

from viz.base.colours import PALETTES
from viz.pages.training.study.maps_gif import maps_as_gif


def opened(n_frames: int) -> Image.Image:
    rng = np.random.default_rng(0)
    one, two = (rng.integers(0, 255, (n_frames, layers, 2, 5, 5), np.uint8) for layers in (1, 2))
    one[:, 0, 0, 0, :2] = (255, 0)
    steps = np.arange(n_frames, dtype=np.int32) * 4
    return Image.open(io.BytesIO(maps_as_gif([one, two], steps, theme="light", caption="Step {step}")))


def test_every_frame_is_there_and_the_largest_and_the_least_weight_have_their_colours() -> None:
    picture = opened(7)
    assert picture.n_frames == 7
    pixels = np.array(picture.convert("RGB"))
    # The first map begins after the margin, the line over it, and the caption.
    assert tuple(pixels[26 + 5, 12 + 5]) == PALETTES["light"].hue
    assert tuple(pixels[26 + 5, 12 + 1 + 30 + 5]) == (255, 255, 255)


def test_of_a_long_run_so_many_frames_are_taken_that_the_file_stays_small() -> None:
    assert opened(400).n_frames == 120


def test_the_maps_of_attention_between_two_sequences_need_not_be_square() -> None:
    maps = np.zeros((2, 1, 1, 3, 7), np.uint8)
    file = maps_as_gif([maps], np.array([1, 2], np.int32), theme="dark", caption="{step}")
    assert Image.open(io.BytesIO(file)).size == (12 + 2 + 7 * 21 + 12, 26 + 2 + 3 * 21 + 12)
