import streamlit as st

from viz.base.words import page_text
from viz.shell.navigation import sections
from viz.shell.page import begin_page

text = page_text("shell/app")
st.set_page_config(page_title=text["name"], page_icon="viz/shell/icon.svg", layout="wide")
shown = {
    section: {
        page: st.Page(page.path, title=page.title, url_path=page.url_path, default=page.is_first) for page in listed
    }
    for section, listed in sections().items()
}
opened = st.navigation(
    {text[f"section {section}"]: list(pages.values()) for section, pages in shown.items()}, position="top"
)
# The question comes before the page's own code, whose first import of PyTorch takes seconds.
begin_page(*(page.question for pages in shown.values() for page, made in pages.items() if made is opened))
opened.run()
