// Words with numbers in their places, and prose.

import { element } from "../../components/browser/dom.js";
import { whole, written } from "../../components/browser/numbers.js";

/** @import { Site } from "./site.js" */

/** @type {Record<string, (value: any) => string>} */
const FORMATS = { ",": whole, g: written };

// As Python's format() has it, as far as words ask for it: {n}, {n:,} and {n:g}.
/** @type {(text: string, values: Record<string, unknown>) => string} */
export function filled(text, values) {
  return text.replace(/\{(\w+)(?::([,g]))?\}/g, (place, name, format) => {
    if (!(name in values)) return place;
    return format ? FORMATS[format](values[name]) : String(values[name]);
  });
}

// What the project wrote in Markdown, in an element of its own.
/** @type {(site: Site, html: string) => HTMLElement} */
export function prose(site, html) {
  const node = element("div", { class: "prose" });
  site.fill(node, html);
  return node;
}
