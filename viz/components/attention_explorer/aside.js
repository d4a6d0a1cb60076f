// What the page has to say of the last pinned cell, in a place with a style of its own.

import { element } from "../browser/dom.js";

/**
 * @typedef {object} Aside
 * @property {HTMLElement} node
 * @property {(html: string) => boolean} show
 */

// The page escapes every text in its markup. Should it once fail to, nothing in it runs.
const TAGS = new Set(
  "b bdi br caption details div h2 i p section span style sub summary sup table tbody td th thead tr".split(" "),
);
const ATTRIBUTES = new Set("aria-current aria-label class colspan role scope style tabindex title".split(" "));

/** @type {() => Aside} */
export function createAside() {
  const node = element("section", { class: "aside" });
  const inside = node.attachShadow({ mode: "open" });
  let shown = "";
  return {
    node,
    // Returns whether there is anything in it.
    show(html) {
      if (html !== shown) inside.replaceChildren(...parsed(html));
      shown = html;
      return html !== "";
    },
  };
}

/** @type {(html: string) => ChildNode[]} */
function parsed(html) {
  const { head, body } = new DOMParser().parseFromString(html, "text/html");
  for (const one of [...head.querySelectorAll("*"), ...body.querySelectorAll("*")]) {
    if (!TAGS.has(one.localName)) one.remove();
    for (const { name } of [...one.attributes]) if (!ATTRIBUTES.has(name)) one.removeAttribute(name);
  }
  return [...head.childNodes, ...body.childNodes];
}
