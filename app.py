import streamlit as st

from viz.pages import sections
from viz.text import page_text

text = page_text("app")
st.set_page_config(page_title=text["name"], page_icon="viz/pages/icon.svg", layout="wide")
pages = {
    text[f"section {section}"]: [
        st.Page(page.path, title=page.title, url_path=page.url_path, default=page.is_first) for page in listed
    ]
    for section, listed in sections().items()
}
st.navigation(pages, position="top").run()
