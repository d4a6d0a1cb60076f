"""Warnings about a translation on the Translate page: another language or kind, or no words."""

import numpy as np

from model.text.fertility import fertility
from model.text.languages import CONFIDENT, LANGUAGES, identify_language
from pretrained import read_card
from pretrained.out_of_domain import unfamiliar
from viz.base.words import page_text
from viz.shared.model_words import model_words
from viz.shared.shipped import translator, translator_info
from viz.shared.translation import TranslationResult
from viz.shared.translators import trained_on

TEXT = page_text("pages/translate/out_of_domain")


def out_of_domain_note(result: TranslationResult) -> str | None:
    """Return a warning about ``result`` in one sentence; None without a measured reason.

    What was drawn or begun by hand says nothing of how sure the model is of a text.
    """
    model = translator_info(result.choice.model)
    language = identify_language(result.text, LANGUAGES, at_least=CONFIDENT)
    if language is not None and language != model.source_language:
        return TEXT["other language"].format(found=model_words(language), language=model_words(model.source_language))
    if not any(map(str.isalnum, result.text)):
        return TEXT["no words"]
    known = read_card(model.name).metrics.get("familiarity")
    if known is None or result.choice.search == "sample" or result.begin:
        return None
    confidence = float(np.mean(result.translation.hypotheses[0].log_probabilities))
    doubt = unfamiliar(known, confidence, fertility(translator(model.name).tokenizer, result.text))
    if doubt is None:
        return None
    share, n = f"{100 * doubt.share:.2g}%", f"{known['sentences']:,}"
    return TEXT[f"because {doubt.reason}"].format(share=share, n=n, kind=trained_on(model))
