"""Training of parsers: encoder–decoders that write a sentence's tree (Vaswani et al. 2017, §6.3)."""
