// The text and the mosaic over one state: who looks, what is changed, which head is shown.

import { element, fill, setText } from "../../../../components/browser/dom.js";
import { mounted } from "../../../../components/browser/mount.js";
import { unpack } from "../../../../components/browser/payload.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { Choice } from "./choice.js";
import { Mosaic } from "./mosaic.js";
import { TextLine } from "./text.js";
import { meanOf, rowOf } from "./weights.js";

const CHANNELS = ["hue", "opposite"];

export default mounted((parent) => new MemoryText(parent));

class MemoryText {
  constructor(parent) {
    this.root = element("div", { class: "memory-text" });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.choice = new Choice();
    this.preview = undefined;
  }

  update(bytes, setStateValue) {
    const { header, blocks } = unpack(bytes);
    const [layers, heads, keys] = header.blocks[0].shape;
    this.setStateValue = setStateValue;
    this.shown = { ...header, weights: blocks.weights, layers, heads, keys };
    this.choice.answer(header);
    for (const [name, value] of Object.entries(header.palette))
      this.root.style.setProperty(`--${name}`, CHANNELS.includes(name) ? value.join(" ") : value);
    if (!this.text) this.build();
    this.preview = undefined;
    this.text.update(this.shown);
    this.mosaic.update(this.shown);
    this.paint();
  }

  build() {
    const { words, menu } = this.shown;
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.modes = modeButtons(words);
    const shared = {
      tooltip: this.tooltip,
      say: (name, values) => fill(this.shown.words[name], values),
      tell: (text) => setText(this.live, text),
    };
    this.text = new TextLine({
      ...shared,
      weightsNow: () => this.weights(),
      choose: (place, isChange) => this.chooseCharacter(place, isChange || this.modes.isChange()),
    });
    this.mosaic = new Mosaic({
      ...shared,
      menu,
      preview: (head) => {
        this.preview = head;
        this.paint();
      },
      choose: (head) => this.commit({ head: same(head, this.choice.now.head) ? null : head }),
    });
    this.root.append(this.modes.node, this.text.node, this.mosaic.node, this.live);
  }

  // Of the head under the pointer, else of the chosen one, else of all.
  weights() {
    const head = this.preview === undefined ? this.shown.head : this.preview;
    return head ? rowOf(this.shown, head) : meanOf(this.shown);
  }

  paint() {
    const head = this.preview === undefined ? this.shown.head : this.preview;
    this.text.paint(this.weights());
    this.text.name(
      head
        ? fill(this.shown.words["heat of head"], { layer: head[0] + 1, head: head[1] + 1 })
        : this.shown.words["heat of all"],
    );
  }

  chooseCharacter(place, isChange) {
    if (!isChange) this.commit({ place });
    // What comes later has not been read.
    else if (place <= this.choice.now.place) this.commit({ source: place });
  }

  commit(change) {
    this.tooltip.hide();
    this.setStateValue("chosen", this.choice.change(change));
  }

  remove() {
    this.mosaic.remove();
    this.root.remove();
  }
}

function same(one, other) {
  return Boolean(one && other) && one[0] === other[0] && one[1] === other[1];
}

function modeButtons(words) {
  const inputs = ["look", "change"].map((name) =>
    element("input", { type: "radio", name: "mode", value: name, checked: name === "look" }),
  );
  const labels = inputs.map((input) => element("label", {}, input, element("span", {}, words[`mode ${input.value}`])));
  const node = element("fieldset", { class: "modes" }, element("legend", {}, words["mode"]), ...labels);
  return { node, isChange: () => inputs[1].checked };
}
