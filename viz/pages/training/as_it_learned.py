"""As it learned: one sentence read and translated after more and more steps of training."""

from functools import partial

import numpy as np
import streamlit as st

from model.checkpoint import DamagedWeightsError
from pretrained.snapshots import Learned, TranslatorSnapshot
from viz.base.exports import arrays_as_npz, columns_as_csv
from viz.base.link_parameters import Choice, Text
from viz.base.tokens import piece_labels
from viz.base.words import listed, page_text
from viz.components.table import table
from viz.pages.training.components.player import PlayerRun, player, player_data, rested_at
from viz.pages.training.playing import TEXT as PLAYING
from viz.pages.training.playing import player_words
from viz.pages.training.snapshots import learned, shown
from viz.pages.training.study.learned import SnapshotResults, best_alignment, best_head, curves_of
from viz.pages.training.study.maps_gif import maps_as_gif
from viz.shared.model_words import in_millions
from viz.shared.shipped import damage
from viz.shell.controls import place_for_warnings, text_input, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.state import linked_value, set_link

TEXT = page_text("pages/training/as_it_learned")
_PLAYER = "learned-player"
_SENTENCE = Text("learned-caption", TEXT["opening caption"], 300)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    try:
        run = learned()
        field = _step_field(run)
        warn_bad_links(warnings, [field, _SENTENCE])
        picture = st.container()
        # Before the models read and write, which takes a while at first.
        picture.markdown(TEXT["see"])
        text = text_input(_SENTENCE, TEXT["sentence"])
        seen, trouble = shown(text, _SENTENCE.default)
    except (DamagedWeightsError, OSError, ValueError) as error:
        warnings.warning(TEXT["no model"].format(reason=damage(error)))
        return
    if trouble is not None:
        warnings.warning(trouble)
    with picture:
        _show_player(run, seen, field)
    _show_translations(run, seen)
    _explain(run)


def _step_field(run: Learned) -> Choice[int]:
    steps = tuple(one.step for one in run.snapshots)
    return Choice("step", steps[-1], steps, listed(map(str, steps)))


def _show_player(run: Learned, seen: SnapshotResults, field: Choice[int]) -> None:
    last, snapshots = seen.last, run.snapshots
    queries, keys = (piece_labels(row.pieces, [word.start for word in row.words]) for row in (last.target, last.source))
    scores = {"alignment": np.array([one.alignment for one in snapshots], np.float32)}
    patterns = (seen.patterns * 255).round().astype(np.uint8)
    steps = np.array(field.options, np.int32)
    picture = partial(maps_as_gif, [patterns], steps, theme=theme(), caption=PLAYING["step"])
    at_end, opened = snapshots[-1], field.options.index(linked_value(field))
    ends = {"bleu": at_end.bleu, "alignment": best_alignment(at_end), "text": last.text}
    data = player_data(
        [PlayerRun(TEXT["maps"], steps, curves_of(snapshots), scores, patterns)],
        tokens=queries,
        keys=keys,
        notes=[TEXT["writes"].format(text=text or TEXT["nothing"]) for text in seen.written],
        is_log=True,
        opens_at=opened,
        plays_from=0 if linked_value(field) == field.default else opened,
        alt=TEXT["alt"].format(n=len(snapshots), steps=f"{at_end.step:,}", **ends),
        file_name="as-it-learned",
        theme=theme(),
        words=player_words() | {name: TEXT[name] for name in ("bleu", "alignment", "loss", "title")},
        files=offered(
            [
                File(TEXT["download numbers"], partial(_numbers_as_csv, snapshots, seen), "as-it-learned.csv"),
                File(TEXT["download maps"], partial(_maps_as_npz, snapshots, seen), "as-it-learned.npz"),
                File(PLAYING["download maps"], picture, "as-it-learned.gif"),
            ],
            _PLAYER,
        ),
    )
    player(data, key=_PLAYER, on_rest=partial(_rest, field))


def _rest(field: Choice[int]) -> None:
    step = rested_at(_PLAYER)
    if step in field.options:
        set_link(field, step)


def _show_translations(run: Learned, seen: SnapshotResults) -> None:
    rows = [
        [f"{one.step:,}", text or TEXT["nothing"], f"{one.bleu:.1f}"]
        for one, text in zip(run.snapshots, seen.written, strict=True)
    ]
    st.html(table([TEXT["step"], TEXT["translation"], TEXT["bleu"]], rows, name=TEXT["translations"]))


def _explain(run: Learned) -> None:
    metrics, last = run.metrics, run.snapshots[-1]
    layer, head = best_head(last)
    words, numbers = st.columns(2, gap="large")
    with words:
        st.markdown(TEXT["what is seen"])
        st.markdown(TEXT["what to try"])
    with numbers:
        st.markdown(
            TEXT["measured"].format(
                first=run.snapshots[0].bleu,
                last=last.bleu,
                steps=f"{last.step:,}",
                sentences=metrics["sentences"],
                layer=layer + 1,
                head=head + 1,
                alignment=best_alignment(last),
                before=max(map(max, run.snapshots[0].alignment)),
                links=f"{metrics['aligned_words']:,}",
            )
        )
        st.markdown(TEXT["paper"])
        st.caption(
            TEXT["made by"].format(
                parameters=in_millions(metrics["n_parameters"], "{n} M", 1),
                config=run.config,
                seed=metrics["training"]["seed"],
            )
        )
        steps = " ".join(str(one.step) for one in run.snapshots)
        st.code(TEXT["command"].format(steps=steps), language="sh", wrap_lines=True)


def _numbers_as_csv(snapshots: tuple[TranslatorSnapshot, ...], seen: SnapshotResults) -> str:
    curves = curves_of(snapshots)
    return columns_as_csv({"step": [one.step for one in snapshots], **curves, "translation": list(seen.written)})


def _maps_as_npz(snapshots: tuple[TranslatorSnapshot, ...], seen: SnapshotResults) -> bytes:
    arrays = {
        "steps": np.array([one.step for one in snapshots]),
        "patterns": seen.patterns,
        "alignment": np.array([one.alignment for one in snapshots]),
        "queries": np.array(seen.last.target.pieces),
        "keys": np.array(seen.last.source.pieces),
        "translations": np.array(seen.written),
    }
    return arrays_as_npz(arrays)


if __name__ == "__main__":
    show()
