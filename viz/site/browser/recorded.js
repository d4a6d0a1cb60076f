// A page whose component has its numbers from a file: nothing is computed for it but by the component itself.

import { element } from "../../components/browser/dom.js";
import { unpack } from "../../components/browser/payload.js";
import { pack } from "./pack.js";
import { Placed } from "./placed.js";
import { numberIn } from "./view_link.js";
import { prose } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { RecordedView } from "./types" */

export class RecordedPage {
  /** @param {Site} site @param {string} name the page's address */
  constructor(site, name) {
    this.site = site;
    this.name = name;
    this.about = site.words.recorded[name];
    this.above = element("div", { class: "prose" });
    this.below = element("div", { class: "two" });
    this.picture = this.placed();
    this.list = this.choice();
    const label = this.list && element("label", {}, element("span", {}, this.about.label), this.list);
    site.main.append(
      element("h1", {}, this.about.question),
      ...(label ? [element("form", { class: "ask" }, label)] : []),
      this.above,
      this.picture.node,
      this.below,
    );
    this.calls = 0;
    /** @type {Uint8Array | null} */
    this.file = null;
    this.follow();
  }

  placed() {
    const component = this.site.components[this.about.component];
    /** @type {(key: string, value: any) => void} */
    const heard = (key, value) => this.heard(key, value);
    return new Placed(component, { onState: heard, onTrigger: heard });
  }

  // Between the views, where there are several.
  choice() {
    const { views, parameter } = this.about;
    if (!parameter) return null;
    const list = element("select", {});
    for (const [value, { name }] of Object.entries(views)) list.append(element("option", { value }, name));
    list.addEventListener("change", () => {
      this.site.write({ [parameter]: list.value });
      this.follow();
    });
    return list;
  }

  get view() {
    const { views, parameter } = this.about;
    const names = Object.keys(views);
    if (!parameter) return names[0];
    return this.site.linked(parameter, (text) => names.includes(text), names.join(", ")) ?? names[0];
  }

  async follow() {
    const call = ++this.calls;
    const { view } = this;
    if (this.list) this.list.value = view;
    const { above, below } = this.about.views[view];
    this.site.fill(this.above, above);
    this.below.replaceChildren(...below.map((html) => prose(this.site, html)));
    const name = ["recorded", this.name, view].filter(Boolean).join("-");
    const file = await this.site.loaded(name, (bytes) => bytes);
    if (!file || call !== this.calls) return;
    // Another view is another picture, with its own steps.
    if (this.file && this.file !== file) {
      const next = this.placed();
      this.picture.node.replaceWith(next.node);
      this.picture.remove();
      this.picture = next;
    }
    this.file = file;
    this.draw();
  }

  recolour() {
    this.draw();
  }

  draw() {
    if (!this.file) return;
    const { site } = this;
    const { words, theme } = site;
    const { header, blocks } = unpack(this.file);
    /** @type {RecordedView} */
    const shown = this.about.views[this.view];
    const { palette, ...scales } = words.palettes[theme];
    const named = header.blocks.map((/** @type {{ name: string, shape: number[] }} */ { name, shape }) => [
      name,
      { values: blocks[name], shape },
    ]);
    const asked = {
      ...(shown.steps ? stepOf(shown, site) : {}),
      ...(header.sliders ? { opens_on: slidersOf(header, site) } : {}),
    };
    const fixed = { menu: { labels: site.text("menu"), served: [] }, palette: { ...palette, ...scales } };
    this.picture.show(pack({ ...shown.header, ...asked, ...fixed }, Object.fromEntries(named)));
  }

  // A step that was chosen, or numbers that were set.
  /** @type {(key: string, value: any) => void} */
  heard(key, value) {
    const { header, steps } = this.about.views[this.view];
    if (key === "step" && steps) this.site.write({ [steps]: value === header.steps[header.opens_at] ? null : value });
    if (key === "view") {
      const changed = Object.entries(value).map(([name, number]) => [
        name,
        number === header.view[name] ? null : String(number),
      ]);
      this.site.write(Object.fromEntries(changed));
    }
  }

  remove() {
    this.calls += 1;
    this.picture.remove();
  }
}

// The frame of the step that a link asks for, where the reader wants to be: it is played from there, too.
/** @type {(view: RecordedView, site: Site) => { opens_at?: number, plays_from?: number }} */
function stepOf({ header, steps }, site) {
  /** @type {string[]} */
  const there = header.steps.map(String);
  const summary = `${there[0]}, ${there[1]}, … ${there.at(-1)}`;
  const place = there.indexOf(site.linked(steps, (text) => there.includes(text), summary) ?? "");
  return place < 0 || place === header.opens_at ? {} : { opens_at: place, plays_from: place };
}

// What a link sets the sliders to; what is followed stays within what is shown.
/** @type {(header: any, site: Site) => Record<string, number>} */
export function slidersOf({ view, sliders }, site) {
  /** @type {Record<string, number>} */
  const set = {};
  for (const [name, value] of Object.entries(view)) {
    const { low, high, step, index_of, per_item } = sliders[name];
    const most = index_of ? Math.floor(set[index_of] / per_item) - 1 : high;
    /** @param {string} text */
    const isThere = (text) => {
      const number = numberIn(text, { isWhole: Boolean(step) });
      return number >= low && number <= most && (!step || number % step === 0);
    };
    set[name] = Math.min(Number(site.linked(name, isThere, `${low} – ${most}`) ?? value), most);
  }
  return set;
}
