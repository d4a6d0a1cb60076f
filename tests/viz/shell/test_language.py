"""The language of a visitor: of the link, of the choice in the bar, or of the browser; apart for each session."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from threading import Barrier, current_thread

import pytest
import streamlit as st
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunContext, add_script_run_ctx
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from tests.app.running import open_source, run
from viz.base.languages import LANGUAGES, in_language, language
from viz.base.words import page_text
from viz.shell.controls import download
from viz.shell.language import ChosenLanguage, visitors_language
from viz.shell.state import keep_in_session, session_key

SCRIPT = """
import streamlit as st
from viz.base.languages import language
from viz.shell.controls import download
from viz.shell.language import keep_language
keep_language()
st.text(language())
"""
CHOSEN = session_key(ChosenLanguage)


def shown(app: AppTest) -> str:
    return app.text[0].value


def visit(locale: str = "") -> ScriptRunContext:
    """Begin a run of a new session in this thread."""
    context = ScriptRunContext(
        session_id=current_thread().name,
        _enqueue=lambda _: None,
        query_string="",
        session_state=SafeSessionState(SessionState(), lambda: None),
        uploaded_file_mgr=MemoryUploadedFileManager("/upload"),
        main_script_path="",
        user_info={},
        fragment_storage=MemoryFragmentStorage(),
        pages_manager=PagesManager(""),
        context_info=ContextInfo(locale=locale),
    )
    add_script_run_ctx(current_thread(), context)
    return context


def test_a_link_says_the_language_and_keeps_to_it() -> None:
    app = open_source(SCRIPT, language="ja")
    assert shown(app) == "ja"
    del app.query_params["language"]
    assert shown(run(app)) == "ja"
    assert app.query_params["language"] == "ja"


def test_what_was_chosen_goes_before_an_older_link() -> None:
    app = open_source(SCRIPT, language="ja")
    app.session_state[CHOSEN] = ChosenLanguage("ko")
    assert shown(run(app)) == "ko"
    assert app.query_params["language"] == "ko"


@pytest.mark.parametrize("link", [{}, {"language": "xx"}, {"language": ""}])
def test_without_a_language_in_the_link_it_is_the_browsers_and_the_link_stays(link: dict[str, str]) -> None:
    app = open_source(SCRIPT, **link)
    assert shown(app) == "en"
    assert app.query_params.get("language") == link.get("language")


@pytest.mark.parametrize(("locale", "expected"), [("ja-JP", "ja"), ("ko", "ko"), ("de-DE", "en"), ("", "en")])
def test_the_browsers_language_is_taken_where_none_was_chosen(locale: str, expected: str) -> None:
    with ThreadPoolExecutor(1) as browser:
        assert browser.submit(lambda: (visit(locale), visitors_language())[1]).result() == expected


def test_eight_sessions_at_once_have_their_own_language() -> None:
    together, title = Barrier(8), page_text("shell/language")

    def read(name: str) -> tuple[set[str], set[str]]:
        visit()
        keep_in_session(ChosenLanguage(name))
        together.wait()
        return {language() for _ in range(500)}, {title["language"] for _ in range(500)}

    names = [*islice(cycle(LANGUAGES), 8)]
    with ThreadPoolExecutor(8) as visitors:
        seen = [*visitors.map(read, names)]
    words = {"en": "Language", "ja": "言語", "ko": "언어"}
    assert seen == [({name}, {words[name]}) for name in names]


def test_a_file_that_is_made_later_is_in_the_language_of_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(st, "download_button", lambda _, content, **__: made.append(content))
    with in_language("ko"):
        download("Save", language, "file.txt")
    assert language() == "en"
    assert made[0]() == "ko"
