"""Algorithmic tasks, one file each.

A file in this folder that calls :func:`register` appears in every choice of a task, on the command line and
in the tests.
"""

from model.tasks.base import Task, TaskDescription, TaskInputError, Tokens, draw_tests, draw_training, is_held_out
from model.tasks.registry import find, length_tasks, register, registered
from model.tasks.vocabulary import BOS_ID, EOS_ID, PAD_ID, Row, Vocabulary, row_of, vocabulary_of

__all__ = [
    "BOS_ID",
    "EOS_ID",
    "PAD_ID",
    "Row",
    "Task",
    "TaskDescription",
    "TaskInputError",
    "Tokens",
    "Vocabulary",
    "draw_tests",
    "draw_training",
    "find",
    "is_held_out",
    "length_tasks",
    "register",
    "registered",
    "row_of",
    "vocabulary_of",
]
