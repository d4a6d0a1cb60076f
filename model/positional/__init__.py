"""Positional encodings, one file each.

A file in this folder that calls :func:`register` appears everywhere by itself.
"""

from model.positional.base import (
    Description,
    LayerwiseEncoding,
    Parameter,
    PositionalConfig,
    PositionalEncoding,
    Properties,
    Surroundings,
)
from model.positional.registry import build, register, registered

__all__ = [
    "Description",
    "LayerwiseEncoding",
    "Parameter",
    "PositionalConfig",
    "PositionalEncoding",
    "Properties",
    "Surroundings",
    "build",
    "register",
    "registered",
]
