"""How attention forms while a model trains."""
