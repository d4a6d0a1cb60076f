import streamlit as st

from viz.text import page_text

text = page_text("app")
st.set_page_config(page_title=text["name"], page_icon="viz/pages/icon.svg", layout="wide")
pages = {
    text["section attention"]: [
        st.Page("viz/pages/translate.py", title=text["page translate"], url_path="translate", default=True)
    ],
    text["section reference"]: [
        st.Page("viz/pages/models_and_hooks.py", title=text["page models and hooks"], url_path="models-and-hooks")
    ],
}
st.navigation(pages, position="top").run()
