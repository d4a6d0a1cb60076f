// A page whose component has its numbers from a file: nothing is computed for it but by the component itself.

import { element } from "../../components/browser/dom.js";
import { unpack } from "../../components/browser/payload.js";
import { pack } from "./pack.js";
import { Placed } from "./placed.js";

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
    this.picture = new Placed(site.components[this.about.component], {
      onState: (key, value) => this.heard(key, value),
    });
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
    return new Placed(component, { onState: (key, value) => this.heard(key, value) });
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
    const asked = this.site.link.get(parameter) ?? "";
    return asked in views ? asked : Object.keys(views)[0];
  }

  async follow() {
    const call = ++this.calls;
    const { view } = this;
    if (this.list) this.list.value = view;
    const { above, below } = this.about.views[view];
    // Written by the project in Markdown, and made HTML when the site was built.
    this.above.innerHTML = above;
    this.below.replaceChildren(
      ...below.map((html) => {
        const column = element("div", { class: "prose" });
        column.innerHTML = html;
        return column;
      }),
    );
    const file = await this.site.load(["recorded", this.name, view].filter(Boolean).join("-"));
    if (call !== this.calls) return;
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
    const { words, theme, link } = this.site;
    const { header, blocks } = unpack(this.file);
    /** @type {RecordedView} */
    const shown = this.about.views[this.view];
    const { palette, ...scales } = words.palettes[theme];
    const named = header.blocks.map((/** @type {{ name: string, shape: number[] }} */ { name, shape }) => [
      name,
      { values: blocks[name], shape },
    ]);
    const asked = {
      ...(shown.steps ? stepOf(shown, link) : {}),
      ...(header.sliders ? { view: slidersOf(header, link) } : {}),
    };
    const fixed = { menu: { labels: this.site.text("menu"), served: [] }, palette: { ...palette, ...scales } };
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

// The frame of the step that a link asks for.
/** @type {(view: RecordedView, link: URLSearchParams) => { opens_at: number }} */
function stepOf({ header, steps }, link) {
  const place = header.steps.indexOf(Number(link.get(steps) ?? Number.NaN));
  return { opens_at: place < 0 ? header.opens_at : place };
}

// What a link sets the sliders to, as far as they go there.
/** @type {(header: any, link: URLSearchParams) => Record<string, number>} */
function slidersOf({ view, sliders }, link) {
  const set = Object.keys(view).map((name) => {
    const { low, high, step } = sliders[name];
    const value = Number(link.get(name) ?? Number.NaN);
    const isThere = value >= low && value <= high && (!step || value % step === 0);
    return [name, isThere ? value : view[name]];
  });
  return Object.fromEntries(set);
}
