"""Attention: its formulas as pure functions, and the multi-head block built from them."""

from model.attention.functional import attention_pattern, attention_scores, causal_mask, padding_mask
from model.attention.multi_head import AttentionPositions, KeyValueCache, MultiHeadAttention
from model.attention.segment_memory import LayerMemory, SegmentMemory, SegmentSpec

__all__ = [
    "AttentionPositions",
    "KeyValueCache",
    "LayerMemory",
    "MultiHeadAttention",
    "SegmentMemory",
    "SegmentSpec",
    "attention_pattern",
    "attention_scores",
    "causal_mask",
    "padding_mask",
]
