"""Write a model's attention on a text, as a page or as the file that *Your model* opens.

    python -m viz.notebook FOLDER "The cat sat." view.html
    python -m viz.notebook FOLDER "The cat sat." maps.npz

Works without a network. The model's weights must be safetensors, and code of its own is not run.
"""

import argparse
import sys
from pathlib import Path

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.folders import checked_folder
from pretrained.huggingface.loading import load
from pretrained.huggingface.recording import record_attention
from viz.base.given_maps import TEXT as MAP_PROBLEMS
from viz.base.given_maps import kinds_of_blocks
from viz.base.words import InputError
from viz.notebook.exploring import opening, sentence_of
from viz.notebook.view import ENDINGS, AttentionView


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(prog="python -m viz.notebook", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with config.json, the weights and the tokenizer")
    parser.add_argument("text", help="what the model reads")
    parser.add_argument("file", type=Path, help="what is written: a name that ends with .html or .npz")
    parser.add_argument("--target", help="what an encoder–decoder is made to write")
    arguments = parser.parse_args()
    if arguments.file.suffix not in ENDINGS:
        parser.error(InputError("file name", name=repr(arguments.file.name)).sentence(MAP_PROBLEMS))
    try:
        # Whoever calls this chose the folder, and a model as large as its files.
        folder = checked_folder(arguments.folder.parent, arguments.folder.name, sys.maxsize)
        model, tokenizer = load(folder, sys.maxsize)
        kinds = kinds_of_blocks(record_attention(model, tokenizer, arguments.text, arguments.target))
        AttentionView(kinds, opening(kinds[-1])).save(arguments.file)
    except (InputError, ForeignModelError) as error:
        parser.error(sentence_of(error))


if __name__ == "__main__":
    main()
