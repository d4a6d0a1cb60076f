import streamlit as st

from viz.shell.back import lead_back
from viz.shell.language import keep_language
from viz.shell.link import begin_run, end_run
from viz.shell.navigation import page_after, sections
from viz.shell.page import (
    apply_style,
    choose_part,
    end_page,
    lead_on,
    navigation_bar,
    pages_at_old_addresses,
    renew_link,
    run_part,
    tab_title,
    write_question,
)

keep_language()
by_section = sections()
in_order = [page for pages in by_section.values() for page in pages]
shown = {
    page: st.Page(page.path, title=page.title, url_path=page.url_path, default=not page.url_path) for page in in_order
}
opened = st.navigation([*shown.values(), *pages_at_old_addresses(shown)], position="hidden")
st.set_page_config(page_title=tab_title(opened.title), page_icon="viz/shell/icon.svg", layout="wide")
# None at an old address, which only leads on.
page = next((page for page, made in shown.items() if made is opened), None)
begin_run(opened.url_path)
# Bar and question come before the page's own code, whose first import of PyTorch takes seconds.
if page:
    lead_on(page, shown)
    renew_link(page)
    apply_style()
    navigation_bar(by_section, shown, page)
    lead_back()
    part = choose_part(page)
    write_question(part.question)
    run_part(opened, page, part)
else:
    opened.run()
following = page and page_after(page, in_order)
with st.container(horizontal=True, vertical_alignment="bottom"):
    if page and page.path.stem in ("start", "translate"):
        # PyTorch is imported by now.
        from viz.site.offer import offer_one_file

        offer_one_file()
    if following:
        end_page(following, shown[following])
end_run()
