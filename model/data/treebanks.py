"""Treebanks read from the data folder."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from model.data.loading import DATA_DIR_VARIABLE, WHERE_FROM, CorpusMissingError
from model.text.trees import Tree, read_trees

Part = Literal["train", "dev"]


@dataclass(frozen=True)
class Treebank:
    """Constituency trees in a folder of the data folder, one subfolder and one SHA-256 a part."""

    name: str
    title: str
    address: str
    licence: str
    folder: str
    sha256: dict[Part, str]


TREEBANKS = {
    "gum": Treebank(
        name="gum",
        title="GUM, the Georgetown University Multilayer corpus (Zeldes 2017)",
        address="https://github.com/amir-zeldes/gum (const/)",
        licence="Annotation CC BY 4.0; texts CC BY and CC BY-SA",
        folder="gum",
        sha256={
            "train": "544a966348191c1fdef4fd0e10d8508523a8380d72c3586472f0b35e58740e77",
            "dev": "262580f3c14b54fa5adf2fea21812d25fa8ff72a45b7b2ec71ee387bf8cf873c",
        },
    )
}


def load_treebank(name: str, part: Part, data_dir: Path | None = None) -> list[Tree]:
    """Return the trees of one ``part`` of the treebank ``name``, file by file in the order of their names.

    Raises:
        ValueError: there is no treebank of that name.
        CorpusMissingError: its files are not in the folder, or are not the ones expected.
    """
    if name not in TREEBANKS:
        raise ValueError(f"{name!r} is no treebank; there are {', '.join(TREEBANKS)}")
    treebank, root = TREEBANKS[name], data_dir or os.environ.get(DATA_DIR_VARIABLE)
    if not root:
        raise CorpusMissingError(
            f"training needs the treebank {name}, and no data folder was named; name one by --data-dir or "
            f"{DATA_DIR_VARIABLE}, holding {treebank.folder}/{part} (from {treebank.address})"
        )
    folder = Path(root) / treebank.folder / part
    contents = [path.read_bytes() for path in sorted(folder.glob("*.ptb"))]
    digest = hashlib.sha256(b"".join(contents)).hexdigest()
    if digest != treebank.sha256[part]:
        raise CorpusMissingError(
            f"the files *.ptb in {folder} have SHA-256 {digest} together, and {name} was published with "
            f"{treebank.sha256[part]}; get them from {treebank.address}; {WHERE_FROM}"
        )
    return [tree for content in contents for tree in read_trees(content.decode("utf-8"))]
