"""One sentence as a shipped translator translates it: what the studies of interventions are asked about."""

import pytest

from model.decoding.translator import Translation, Translator
from viz.pages.interventions.study.ablated import AblationRequest

TEXT = "My brother has never read the book that I gave him."


@pytest.fixture(scope="session")
def translation(translator: Translator) -> Translation:
    return translator.translate(TEXT)


@pytest.fixture(scope="session")
def asked(translator: Translator, translation: Translation) -> AblationRequest:
    return AblationRequest(translator, TEXT, translator.options, translation)
