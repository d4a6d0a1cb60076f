// Sentences above the page, which a screen reader speaks: each once, as long as it holds.

import { element } from "../../components/browser/dom.js";

export class Notes {
  constructor() {
    this.node = element("div", { class: "notes", role: "alert" });
    /** @type {Map<string, string>} */
    this.sentences = new Map();
    this.shown = "";
    this.isUnderWay = false;
  }

  // Says ``sentence`` of ``key``; nothing where it is null.
  /** @type {(key: string, sentence: string | null) => void} */
  set(key, sentence) {
    if (sentence === null) this.sentences.delete(key);
    else this.sentences.set(key, sentence);
    this.draw();
  }

  clear() {
    this.sentences.clear();
    this.draw();
  }

  // Once all is set: what is taken away and set again stays.
  async draw() {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    await null;
    this.isUnderWay = false;
    const sentences = [...this.sentences.values()];
    if (sentences.join("\n") === this.shown) return;
    this.shown = sentences.join("\n");
    this.node.replaceChildren(...sentences.map((sentence) => element("p", { class: "message" }, sentence)));
  }
}
