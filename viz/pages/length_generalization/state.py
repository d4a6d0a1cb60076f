"""What the sections of the length generalization page share: the published zoo, cached."""

from pathlib import Path

import pandas as pd
import streamlit as st

from model.architectures.decoder_only import DecoderOnly
from model.zoo.plan import ENCODINGS
from pretrained import zoo
from pretrained.zoo import ZooModel

# More than the encodings of four tasks; a model takes less than a megabyte.
_MOST_NETWORKS = 64
Stamp = tuple[str, int, int] | None


def stamp(path: Path) -> Stamp:
    """Return what changes when the file at ``path`` does; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size


def results() -> pd.DataFrame:
    """Return the published results, to be read and not changed; empty where nothing was published.

    Raises:
        OSError: they cannot be read.
        ValueError: they are damaged.
    """
    return _results(stamp(zoo.ZOO / zoo.RESULTS), zoo.ZOO)


def shipped(task: str) -> tuple[ZooModel, ...]:
    """Return the shipped models of ``task``, in the order of the plan's encodings.

    Raises:
        DamagedWeightsError: the index is unreadable.
    """
    order = list(ENCODINGS)
    models = _shipped(stamp(zoo.ZOO / zoo.INDEX), zoo.ZOO)
    return tuple(sorted((one for one in models if one.run.task == task), key=lambda one: order.index(one.run.encoding)))


def network(model: ZooModel) -> DecoderOnly:
    """Return the network of ``model``, one for all sessions, loaded when it is first asked for.

    Raises:
        DamagedWeightsError: its weights are missing or not the recorded ones; the message names what trains it anew.
    """
    return _network(weights_stamp(model), model.sha256, model, zoo.ZOO)


def weights_stamp(model: ZooModel) -> Stamp:
    """Return what changes when the weights file of ``model`` does."""
    return stamp(zoo.ZOO / model.file)


@st.cache_resource(max_entries=2, show_spinner=False)
def _results(changed: Stamp, _folder: Path) -> pd.DataFrame:
    del changed
    return zoo.zoo_results(_folder)


@st.cache_resource(max_entries=2, show_spinner=False)
def _shipped(changed: Stamp, _folder: Path) -> tuple[ZooModel, ...]:
    del changed
    return zoo.shipped_zoo(_folder)


@st.cache_resource(max_entries=_MOST_NETWORKS, show_spinner=False)
def _network(changed: Stamp, sha256: str, _model: ZooModel, _folder: Path) -> DecoderOnly:
    del changed, sha256
    return zoo.load_zoo_model(_model, _folder)
