import streamlit as st

from viz.base.words import page_text
from viz.shell.navigation import sections
from viz.shell.page import begin_page, end_page

text = page_text("shell/app")
shown = {
    section: {
        page: st.Page(page.path, title=page.title, url_path=page.url_path, default=page.is_first) for page in listed
    }
    for section, listed in sections().items()
}
opened = st.navigation(
    {text[f"section {section}"]: list(pages.values()) for section, pages in shown.items()}, position="top"
)
tab = text["tab"].format(title=opened.title, name=text["name"])
st.set_page_config(page_title=tab, page_icon="viz/shell/icon.svg", layout="wide")
in_order = [(page, made) for pages in shown.values() for page, made in pages.items()]
place = next(place for place, (_, made) in enumerate(in_order) if made is opened)
# The question comes before the page's own code, whose first import of PyTorch takes seconds.
begin_page(in_order[place][0].question)
opened.run()
for page, made in in_order[place + 1 : place + 2]:
    end_page(made, text["next"].format(question=page.question))
