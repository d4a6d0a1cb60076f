// What the page has to say of the last pinned cell, in a place with a style of its own.

import { element, fill } from "../browser/dom.js";
import { headNumber } from "./summary.js";

/** @import { Words } from "../browser/types" */
/** @import { Field, Head } from "./types" */

/**
 * @typedef {object} Aside
 * @property {HTMLElement} node
 * @property {(field: Field, heads: Head[], text: Words, choose: (head: Head) => void) => void} offer
 * @property {(html: string) => boolean} show
 */

// The page escapes every text in its markup. Should it once fail to, nothing in it runs.
const TAGS = new Set(
  "b bdi br caption details div h2 i p section span style sub summary sup table tbody td th thead tr".split(" "),
);
const ATTRIBUTES = new Set(
  "aria-current aria-label class colspan role scope style tabindex title translate".split(" "),
);

/** @type {() => Aside} */
export function createAside() {
  const others = element("p", { class: "other-heads" });
  const calculation = element("div");
  const node = element("section", { class: "aside" }, others, calculation);
  const inside = calculation.attachShadow({ mode: "open" });
  let shown = "";
  return {
    node,
    // Where the matrix joins several heads, the calculation is that of the first: each can be shown alone.
    offer(field, heads, text, choose) {
      others.hidden = heads.length < 2;
      const buttons = heads.map((head) => {
        const button = element("button", { type: "button" }, headNumber(field, head));
        button.addEventListener("click", () => choose(head));
        return button;
      });
      others.replaceChildren(fill(text["one of several"], { n: heads.length }), ...buttons);
    },
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
