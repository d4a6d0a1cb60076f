// The whole Transformer at work on one sentence.

import { element } from "../../components/browser/dom.js";
import { readAddress, writeAddress } from "../../pages/start/components/architecture/address.js";
import { Asking } from "./asking.js";
import { pack } from "./pack.js";
import { insideOf, passageOf } from "./passage.js";
import { Placed } from "./placed.js";
import { saveOneFile } from "./saving.js";

/** @import { Passage } from "./passage.js" */
/** @import { Site } from "./site.js" */
/** @import { TranslatorInfo } from "./types" */

const MOST_CHARACTERS = 200;
// The note of the file that cannot be saved.
const ONE_FILE = "one file";

export class StartPage {
  // What translate() sets, before anything is drawn.
  /** @type {string} */ text;
  /** @type {TranslatorInfo} */ translator;
  /** @type {Passage | null} */ passage = null;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const text = site.text("start");
    this.asking = new Asking(site, {
      name: "sentence",
      most: mostCharacters(site),
      opening: (one) => one.sentence,
      changed: () => this.translate(),
    });
    this.picture = new Placed(site.components.architecture, {
      onState: (name, value) => this.heard(name, value),
      onTrigger: (name, value) => name === "opened" && value && site.open(value),
    });
    this.save = this.saveButton();
    this.isSaving = false;
    /** @type {string | null} */
    this.layer = null;
    /** @type {number[]} */
    this.begin = [];
    site.main.append(
      element("h1", {}, text["question"]),
      this.asking.node,
      this.picture.node,
      element("p", { class: "more" }, site.text("site")["more"]),
      ...(site.isOneFile ? [] : [this.save]),
    );
    this.translate();
  }

  // The page with this translator and sentence, as one file, once it has them.
  saveButton() {
    const { site } = this;
    const button = element("button", { type: "button", disabled: true }, site.text("site")["one file"]);
    button.addEventListener("click", async () => {
      this.isSaving = button.disabled = true;
      try {
        await saveOneFile(site.load, this.translator.name, this.text);
        site.notes.set(ONE_FILE, null);
      } catch (error) {
        site.notLoaded(error, ONE_FILE);
      } finally {
        this.isSaving = button.disabled = false;
      }
    });
    return button;
  }

  follow() {
    const before = [this.asking.text, this.asking.list.value].join();
    this.asking.follow();
    if (before !== [this.asking.text, this.asking.list.value].join()) this.translate();
  }

  recolour() {
    this.draw();
  }

  // ``begin`` are the tokens that the translation is made to begin with.
  /** @type {(begin?: number[]) => Promise<void>} */
  translate(begin = []) {
    const { asking, site } = this;
    return asking.run(async (text, isLast) => {
      const { translator } = asking;
      const model = await site.translators.of(translator.name);
      const done = await model.translate(text, { prefix: begin, isLast });
      if (!isLast()) return;
      if (text !== this.text) this.layer = null;
      const passage = { ...done, model, labels: site.labels };
      Object.assign(this, { text, begin, translator, passage });
      this.save.disabled = this.isSaving;
      this.draw();
    });
  }

  /** @type {(name: string, value: any) => void} */
  heard(name, value) {
    if (value?.text !== this.text) return;
    if (name === "begin") this.translate(value.tokens);
    if (name === "inside" && value.layer !== this.layer) {
      this.layer = value.layer;
      this.draw();
    }
  }

  draw() {
    const { site, passage, translator } = this;
    if (!passage) return;
    const { words } = site;
    const { header, blocks } = passageOf(passage);
    this.checkOpened(header);
    const inside = this.layer ? insideOf(passage, this.layer) : { header: {}, blocks: {} };
    const { palette, sequential, diverging } = words.palettes[site.theme];
    this.picture.show(
      pack(
        {
          language: words.language,
          text: this.text,
          ...this.ways(),
          links: words.parts,
          roles: translator.roles,
          begin: this.begin,
          words: {
            ...site.text("lists"),
            ...site.text("architecture"),
            source: translator.source,
            written: translator.target,
          },
          menu: { labels: site.text("menu"), served: [] },
          palette: { ...palette, sequential, diverging },
          ...header,
          ...inside.header,
        },
        { ...blocks, ...inside.blocks },
      ),
    );
  }

  // Whether the model has the part that the link opens.
  /** @param {Record<string, any>} passage */
  checkOpened({ sizes }) {
    const model = { links: this.site.words.parts, sizes };
    /** @param {string} text */
    const isThere = (text) => {
      const place = readAddress(text, model);
      return place !== null && writeAddress(place, model) === text;
    };
    this.site.linked("open", isThere, { example: `${model.links["cross"]}.2.1` });
  }

  // The pages that go on from attention, and from each of its heads.
  ways() {
    const { site, text, translator } = this;
    const label = site.text("start")["measure"].replace("{page}", site.text("translate")["title"]);
    const kinds = ["encoder", "decoder", "cross"];
    const to = (/** @type {string} */ kind) => {
      const query = new URLSearchParams({ text, kind, translator: translator.name });
      return `translate?${query}`;
    };
    const addresses = kinds.flatMap((kind) => [
      [kind, to(kind)],
      [`${kind} head`, `${to(kind)}&heads={layer}.{head}`],
    ]);
    return {
      addresses: Object.fromEntries(addresses),
      pages: Object.fromEntries(addresses.map(([name]) => [name, label])),
    };
  }

  remove() {
    this.asking.remove();
    this.picture.remove();
  }
}

// As many as in the app, or as one file has that was saved with a longer sentence.
/** @param {Site} site */
function mostCharacters({ words }) {
  return Math.max(MOST_CHARACTERS, ...words.translators.map(({ sentence }) => [...sentence].length));
}
