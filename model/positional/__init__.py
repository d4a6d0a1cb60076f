"""Positional encodings, one file each.

A file in this folder that calls :func:`register` appears in *Compare encodings*, in the glossary, in
configurations and in the tests.
"""

from model.positional.base import (
    Description,
    EncodingError,
    LayerwiseEncoding,
    Parameter,
    PositionalConfig,
    PositionalEncoding,
    Properties,
    QueryKey,
    StackSpec,
    note_progress,
)
from model.positional.registry import build, register, registered

__all__ = [
    "Description",
    "EncodingError",
    "LayerwiseEncoding",
    "Parameter",
    "PositionalConfig",
    "PositionalEncoding",
    "Properties",
    "QueryKey",
    "StackSpec",
    "build",
    "note_progress",
    "register",
    "registered",
]
