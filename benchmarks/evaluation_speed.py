"""How fast a text is evaluated with a memory over segments, and through a window that moves by one character.

    python -m benchmarks.evaluation_speed

The model is the one that model/training/language_model/configurations names, with fresh weights: they do not change the
time. With a memory every character is read once; through a window all of the context is read again for each. Prints
milliseconds per character, and how many times faster the memory is, beside what Dai et al. 2019 report in table 9.
"""

import argparse
from pathlib import Path

import torch

import model.training.language_model
from benchmarks.by_hand import milliseconds
from model.decoder_only import DecoderOnly
from model.training.language_model.config import load_language_model_training

CONFIGURATIONS = Path(model.training.language_model.__file__).parent / "configurations"
CONTEXTS = (256, 512, 1024, 2048)
VOCABULARY_SIZE = 83
PAPER = {800: 363, 3800: 1874}


def with_memory(decoder: DecoderOnly, context: int, segment_length: int, repetitions: int) -> float:
    """Return milliseconds per character of reading a segment when the memory is full."""
    memory = decoder.new_memory(context)
    decoder(torch.randint(VOCABULARY_SIZE, (1, context)), memory=memory)
    segment = torch.randint(VOCABULARY_SIZE, (1, segment_length))
    return milliseconds(lambda: decoder(segment, memory=memory), repetitions) / segment_length


def through_window(decoder: DecoderOnly, context: int, repetitions: int) -> float:
    """Return milliseconds per character of reading all of its context."""
    window = torch.randint(VOCABULARY_SIZE, (1, context))
    return milliseconds(lambda: decoder(window), repetitions)


def build(name: str) -> DecoderOnly:
    """Return the model of the configuration ``name``, with fresh weights."""
    training = load_language_model_training(CONFIGURATIONS / f"{name}.toml")
    return DecoderOnly(training.model_config(VOCABULARY_SIZE)).eval()


@torch.inference_mode()
def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--segment-length", type=int, default=64)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    remembering, absolute = build("transformer_xl"), build("absolute")
    print(f"torch {torch.__version__}, 1 thread, batch 1, segments of {given.segment_length}; ms per character")
    print("context   memory   window, same model   window, absolute   faster than same   than absolute")
    for context in CONTEXTS:
        memory = with_memory(remembering, context, given.segment_length, given.repetitions)
        same = through_window(remembering, context, given.repetitions)
        other = through_window(absolute, context, given.repetitions)
        print(f"{context:7} {memory:8.3f} {same:20.1f} {other:18.1f} {same / memory:17.0f} × {other / memory:13.0f} ×")
    reported = ", ".join(f"{ratio:,} × at {length:,}" for length, ratio in PAPER.items())
    print(f"Dai et al. 2019, table 9, on one GPU and their models: {reported}")


if __name__ == "__main__":
    main()
