// The bar: the sections, the pages of the open one, the language, and a button that copies the link.

import { element, setText } from "../../components/browser/dom.js";
import { copied } from "../../components/browser/copying.js";

/** @import { Site } from "./site.js" */

// Milliseconds that a button says what it has done.
const MOMENT = 1500;

/** @type {(site: Site) => HTMLElement[]} */
export function barOf(site) {
  const text = site.text("site");
  const { section, page } = site.place;
  /** @type {(name: string, title: string, current: string | null) => HTMLElement} */
  const link = (name, title, current) => element("a", { href: site.address(name), "aria-current": current }, title);
  const sections = site.words.sections.map((one) => {
    const isOpen = one === section;
    return link(one.pages[0].name, one.title, isOpen ? (one.pages.length > 1 ? "true" : "page") : null);
  });
  const pages = section && section.pages.length > 1 ? section.pages : [];
  const inside = pages.map((one) => link(one.name, one.title, one === page ? "page" : null));
  const list = element("select", { "aria-label": text["language"], title: text["language"] });
  for (const [value, label] of Object.entries(site.words.languages))
    list.append(element("option", { value, lang: value, selected: value === site.words.language }, label));
  list.addEventListener("change", () => site.choose(list));
  const copy = element("button", { type: "button" }, text["copy link"]);
  const state = element("span", { class: "unseen", role: "status" });
  copy.addEventListener("click", async () => {
    if (!(await copied(site.current.url.href, copy))) return;
    setText(copy, text["copied"]);
    setText(state, text["copied"]);
    setTimeout(() => setText(copy, text["copy link"]), MOMENT);
  });
  const skip = element("a", { class: "skip", href: "#main" }, text["skip"]);
  skip.addEventListener("click", (event) => {
    // It is no other address.
    event.preventDefault();
    site.main.focus();
  });
  return [
    skip,
    element("nav", { "aria-label": text["pages"] }, ...sections),
    element("div", { class: "tools" }, list, copy, state),
    ...(section && inside.length ? [element("nav", { class: "inside", "aria-label": section.title }, ...inside)] : []),
  ];
}
