// One part of the picture, grown over it; the whole shrinks to a map at the edge that says where one is.

import { activeElementOf, element, fill, sentences, setText } from "../../../../components/browser/dom.js";
import { embeddingView, feedForwardView, memoryView, outputView, residualView } from "./blocks.js";
import { cellView } from "./cell.js";
import { headView, shownStep, stepName, stepsOf } from "./head.js";
import { headsView, sidesOf } from "./heads.js";
import { isNarrow } from "./layout.js";
import { toldAt } from "./marks.js";
import { scaleView } from "./scale.js";

const DURATION = 300;
const MAP_WIDTH = 190;
const MAP_HEIGHT = 92;
const GENTLE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

const VIEWS = {
  source: embeddingView,
  read: embeddingView,
  memory: memoryView,
  "encoder feed forward": feedForwardView,
  "decoder feed forward": feedForwardView,
  "encoder residual": residualView,
  "decoder residual": residualView,
  output: outputView,
  scale: scaleView,
};
const ATTENTION = ["encoder", "decoder", "cross"];

export const isAttention = (part) => ATTENTION.includes(part);

export class Opened {
  // ``box`` holds the whole picture; ``act`` is what a visitor can do here.
  constructor({ stage, box, tooltip, act }) {
    this.stage = stage;
    this.box = box;
    this.act = act;
    this.map = element("button", { type: "button", class: "whole-map" });
    this.map.addEventListener("click", () => act.leave(0));
    this.trail = element("nav", { class: "trail" });
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.controls = element("div", { class: "controls" });
    this.content = element("div", { class: "content" });
    this.foot = element("div", { class: "foot" });
    this.head = element("div", { class: "opened-head" }, this.trail, this.sentence, this.controls);
    this.node = element("section", { class: "opened", hidden: true }, this.head, this.content, this.foot);
    stage.append(this.node, this.map);
    this.map.hidden = true;
    this.key = null;
    const tell = (/** @type {PointerEvent} */ event) => {
      const text = toldAt(event);
      if (text) tooltip.show(text, event.clientX, event.clientY);
      else tooltip.hide();
    };
    this.content.addEventListener("pointermove", tell);
    this.content.addEventListener("pointerdown", tell);
    this.content.addEventListener("pointerleave", () => tooltip.hide());
  }

  get isOpen() {
    return !this.node.hidden;
  }

  // ``from`` is the box that grows where ``isGrowing``; ``hasCome`` whether a visitor has just come here by a click or a key.
  show(context, state, { from = null, isGrowing, isStill, hasCome = false }) {
    const wasOpen = this.isOpen;
    const focused = activeElementOf(this.stage);
    const hadFocus = wasOpen && this.node.contains(activeElementOf(this.stage));
    const left = this.key;
    this.key = state.key;
    this.node.hidden = false;
    this.map.hidden = false;
    this.write(context, state);
    this.shrink(context.layout);
    if (isGrowing && !isStill) this.grow(from, wasOpen);
    if (hasCome) this.focusFirst();
    else if (hadFocus && left !== null && state.key === null) this.focusScore(left);
    else if (hadFocus) this.focusAgain(focused);
  }

  // Whoever comes back from a cell is at its score again.
  focusScore(key) {
    /** @type {HTMLElement | null} */
    const score = this.content.querySelector(`[data-key="${key}"]`);
    score?.focus({ preventScroll: true });
  }

  focusFirst() {
    /** @type {HTMLElement | null} */
    const first = this.content.querySelector('[aria-pressed="true"]') ?? this.content.querySelector("button, input");
    (first ?? this.map).focus({ preventScroll: true });
  }

  // What was drawn anew under the focus has it again: of several of that text, one in the same list.
  focusAgain(before) {
    if (activeElementOf(this.stage)) return;
    /** @type {HTMLElement[]} */
    const nodes = [...this.node.querySelectorAll("button")];
    const listOf = (node) => node?.parentElement?.className;
    const named = nodes.filter((node) => node.textContent === before?.textContent);
    const beside = named.filter((node) => listOf(node) === listOf(before));
    const same = beside.length ? beside : named;
    const isChosen = (/** @type {Element} */ node) => node.getAttribute("aria-pressed") === "true";
    (same.find(isChosen) ?? same[0] ?? nodes.find(isChosen))?.focus({ preventScroll: true });
  }

  // The slider that is being moved takes the place of the new one, which has the same value.
  keepSlider(slider) {
    const label = slider.getAttribute("aria-label");
    const drawn = [...this.content.querySelectorAll("input")].find(
      (input) => input.getAttribute("aria-label") === label,
    );
    drawn?.replaceWith(slider);
    slider.focus({ preventScroll: true });
  }

  // The map keeps the picture's own shape.
  shrink({ width, height }) {
    this.scale = Math.min(MAP_WIDTH / width, MAP_HEIGHT / height);
    this.box.classList.add("as-map");
    this.box.inert = true;
    this.box.style.transform = `scale(${this.scale})`;
    Object.assign(this.map.style, { width: `${width * this.scale}px`, height: `${height * this.scale}px` });
    this.head.style.setProperty("--map-width", `${Math.ceil(width * this.scale)}px`);
    this.head.style.setProperty("--map-height", `${Math.ceil(height * this.scale)}px`);
    this.node.style.minHeight = `${height}px`;
    this.node.style.setProperty("--room", `${Math.max(260, height - MAP_HEIGHT - 90)}px`);
  }

  // What ``act`` makes of the picture, which is the whole at its own size for so long.
  asWhole(act) {
    const { classList, style } = this.box;
    const { transform } = style;
    classList.remove("as-map");
    style.transform = "";
    const made = act();
    classList.toggle("as-map", this.isOpen);
    style.transform = transform;
    return made;
  }

  grow(from, wasOpen) {
    if (!wasOpen)
      this.box.animate([{ transform: "none" }, { transform: `scale(${this.scale})` }], {
        duration: DURATION,
        easing: GENTLE,
      });
    if (!from) return;
    const to = {
      x: this.content.offsetLeft,
      y: this.content.offsetTop,
      width: this.content.offsetWidth,
      height: this.content.offsetHeight,
    };
    const scale = [from.width / to.width, from.height / Math.max(1, to.height)];
    this.content.animate(
      [
        { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale.join(",")})`, opacity: 0.2 },
        { transform: "none", opacity: 1 },
      ],
      { duration: DURATION, easing: GENTLE },
    );
    this.head.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION });
  }

  hide({ from, isStill }) {
    if (!this.isOpen) return;
    const { scale } = this;
    this.node.hidden = true;
    this.map.hidden = true;
    this.box.classList.remove("as-map");
    this.box.inert = false;
    this.box.style.transform = "";
    if (!isStill)
      this.box.animate([{ transform: `scale(${scale})` }, { transform: "none" }], {
        duration: DURATION,
        easing: GENTLE,
      });
    from?.focus({ preventScroll: true });
  }

  write(context, state) {
    const { header, words } = context;
    const { part, layer, head, key } = state;
    this.map.setAttribute("aria-label", words["back to whole"]);
    this.writeTrail(context, state);
    setText(this.sentence, sentenceOf(context, { ...state, step: shownStep(context, state.step) }));
    this.writeControls(context, state);
    const view = isAttention(part) ? (head === null ? headsView : key === null ? headView : cellView) : VIEWS[part];
    this.content.replaceChildren(...view(context, state, this.act));
    this.foot.replaceChildren(keyOf(context, state), ...measures(header, { part, layer, head }));
  }

  writeTrail(context, { part, layer, head, row, key }) {
    const { header, words } = context;
    const steps = [[words["whole"], () => this.act.leave(0)]];
    const name = words[`part ${part}`];
    if (head === null) steps.push([name, null]);
    else {
      steps.push([name, () => this.act.leave(1)]);
      const headName = fill(words["head name"], { layer: layer + 1, head: head + 1 });
      steps.push([headName, key === null ? null : () => this.act.leave(2)]);
    }
    if (key !== null) {
      const { queries, keys } = sidesOf(header, part);
      steps.push([fill(words["cell name"], { query: queries[row], key: keys[key] }), null]);
    }
    const parts = steps.map(([label, go]) => {
      if (!go) return element("strong", { "aria-current": "true" }, label);
      const button = element("button", { type: "button" }, label);
      button.addEventListener("click", go);
      return button;
    });
    this.trail.setAttribute("aria-label", words["you are here"]);
    this.trail.replaceChildren(
      element("span", { class: "here-label" }, words["you are here"]),
      ...parts.flatMap((node, index) =>
        index ? [element("span", { class: "to", "aria-hidden": "true" }, "›"), node] : [node],
      ),
    );
  }

  // Layers side by side; at a head, the steps.
  writeControls(context, { part, layer, head, step, key }) {
    const { header, words } = context;
    const chips = [];
    const chip = (label, isOn, go) => {
      const button = element("button", { type: "button", class: "chip", "aria-pressed": String(isOn) }, label);
      button.addEventListener("click", go);
      chips.push(button);
    };
    const hasLayers = part.includes("feed forward") || (isAttention(part) && head === null);
    if (hasLayers) {
      const n = header.sizes[part.startsWith("encoder") ? "n_encoder_layers" : "n_decoder_layers"];
      for (let number = 0; number < n; number += 1)
        chip(fill(words["layer"], { n: number + 1 }), number === layer, () => this.act.layer(number));
    }
    if (head !== null && key === null) {
      const steps = stepsOf(part);
      const next = steps[(steps.indexOf(shownStep(context, step)) + 1) % steps.length];
      chip(words["step"], false, () => this.act.step(next));
      chips[0].classList.add("next-step");
      // A phone shows one step at a time, and no room for all.
      if (isNarrow(context))
        for (const name of steps)
          chip(stepName(context, name), name === shownStep(context, step), () => this.act.step(name));
      else chip(words["all steps"], step === null, () => this.act.step(null));
    }
    this.controls.replaceChildren(...chips);
  }

  remove() {
    this.node.remove();
    this.map.remove();
  }
}

function sentenceOf({ header, words }, { part, head, step, key }) {
  const values = { ...header.sizes, root: Math.sqrt(header.sizes.d_model / header.sizes.n_heads).toFixed(2) };
  if (head !== null) {
    const name = key === null ? `step ${step ?? "all"}` : "does cell";
    return fill(words[name], { ...values, d_head: header.sizes.d_model / header.sizes.n_heads });
  }
  const name = part.includes("residual") ? "does residual" : `does ${part}`;
  const said = sentences([words[name], ...(isAttention(part) ? [words["what a head is"]] : [])], words);
  return fill(said, { ...values, vocabulary_size: header.sizes.vocabulary_size.toLocaleString("en") });
}

// What the colours of this part mean.
function keyOf({ words }, { part, head }) {
  const weight = ["weight", "key weight"];
  const value = ["value", "key value"];
  const row = ["row", part === "encoder" ? "key own row" : "key row"];
  const unit = ["weight", "key unit"];
  const length = ["extent", "key length"];
  if (part === "scale") return element("p", { class: "key" });
  const shown = isAttention(part)
    ? head === null
      ? [weight, row]
      : [weight, value, row]
    : part.includes("feed forward")
      ? [unit]
      : part.includes("residual") || part === "output"
        ? [length]
        : [value];
  return element(
    "p",
    { class: "key" },
    ...shown.map(([swatch, name]) =>
      element(
        "span",
        { class: "entry" },
        element("span", { class: `swatch ${swatch}`, "aria-hidden": "true" }),
        words[part === "output" && name === "key length" ? "key probability" : name],
      ),
    ),
  );
}

// The pages that go on from here.
function measures({ addresses, pages }, { part, layer, head }) {
  const name = head === null ? part : `${part} head`;
  return [name, ...(head === null ? [] : [`${part} by hand`])]
    .filter((one) => addresses[one])
    .map((one) => {
      const address = fill(addresses[one], { layer: layer + 1, head: head + 1 });
      return element("a", { href: address, "data-opens": address, class: "measure" }, pages[one]);
    });
}
