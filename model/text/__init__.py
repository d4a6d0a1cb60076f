"""Text as ids: tokenizers, vocabularies, sentences, scripts and languages."""
