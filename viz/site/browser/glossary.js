// The terms of the app, each with what it means.

import { element } from "../../components/browser/dom.js";

/** @import { Site } from "./site.js" */

export class GlossaryPage {
  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const terms = element("div", { class: "prose" });
    site.fill(terms, site.words.html.glossary);
    site.main.append(element("h1", {}, site.text("site")["glossary question"]), terms);
    this.follow();
  }

  follow() {
    const { hash } = this.site.current.url;
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }

  recolour() {}

  remove() {}
}
