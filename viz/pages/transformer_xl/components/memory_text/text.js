// The text, a box for each character, with heat under those that are looked at.

import { element, isPlain, setAttribute, setText } from "../../../../components/browser/dom.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";

const BREAK = "↵";
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -64, PageDown: 64 };

export class TextLine {
  // choose(place, isChange) is called for a click or Enter, isChange where Shift was held; weightsNow() are those shown.
  constructor({ tooltip, say, tell, choose, weightsNow }) {
    this.tooltip = tooltip;
    this.say = say;
    this.tell = tell;
    this.choose = choose;
    this.weightsNow = weightsNow;
    this.heading = element("p", { class: "heading" });
    this.box = element("div", { class: "text", tabindex: 0, role: "application" });
    this.node = element("div", {}, this.heading, this.box);
    this.spans = [];
    this.cursor = null;
    this.box.addEventListener("pointermove", (event) => this.point(event));
    this.box.addEventListener("pointerleave", () => tooltip.hide());
    this.box.addEventListener("click", (event) => {
      const place = this.placeOf(event.target);
      if (place !== null) choose(place, event.shiftKey);
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    // A press would scroll the text away from under the pointer before it is a click.
    this.box.addEventListener(
      "focus",
      () => this.box.matches(":focus-visible") && this.moveTo(this.cursor ?? this.shown.place),
    );
    this.box.addEventListener("blur", () => {
      this.moveTo(null);
      tooltip.hide();
    });
  }

  update(shown) {
    const isMoved = !this.shown || this.shown.place !== shown.place;
    const isOther = !this.shown || this.shown.first !== shown.first || this.shown.labels.join() !== shown.labels.join();
    this.shown = shown;
    setAttribute(this.box, "aria-label", this.say("text", { place: shown.place + 1, first: shown.first + 1 }));
    setAttribute(this.box, "aria-roledescription", this.say("text role", {}));
    if (isOther) {
      this.spans = shown.labels.map((label) => element("span", {}, label));
      const parts = this.spans.map((span, index) => (shown.labels[index] === BREAK ? [span, element("br")] : [span]));
      this.box.replaceChildren(...parts.flat());
    }
    this.spans.forEach((span, index) => (span.className = kindOf(shown, shown.first + index)));
    if (this.cursor !== null && this.cursor >= shown.first + this.spans.length) this.cursor = null;
    if (isOther || isMoved) this.reveal(shown.place);
  }

  paint(weights) {
    const most = Math.max(...weights) || 1;
    const { first, first_key } = this.shown;
    this.spans.forEach((span, index) => {
      const weight = weights[first + index - first_key];
      span.style.setProperty("--w", weight === undefined ? 0 : (weight / most).toFixed(3));
    });
  }

  name(text) {
    setText(this.heading, text);
  }

  tellOf(place) {
    const { labels, first, first_key, earliest } = this.shown;
    const values = { character: labels[place - first], number: place + 1, back: this.shown.place - place };
    const weight = this.weightsNow()[place - first_key];
    if (place > this.shown.place) return this.say("later", values);
    if (weight !== undefined) return this.say("looked at", { ...values, weight: fixed(weight, 4) });
    return this.say(place < earliest ? "out of reach" : "through memory", values);
  }

  point(event) {
    const place = this.placeOf(event.target);
    if (place === null) this.tooltip.hide();
    else this.tooltip.show(this.tellOf(place), event.clientX, event.clientY);
  }

  key(event) {
    if (!isPlain(event)) return;
    const cursor = this.cursor ?? this.shown.place;
    if (event.key in STEPS) this.moveTo(cursor + STEPS[event.key], true);
    else if (event.key === "Home") this.moveTo(this.shown.first, true);
    else if (event.key === "End") this.moveTo(this.shown.place, true);
    else if (event.key === "Enter") this.choose(cursor, event.shiftKey);
    else return;
    event.preventDefault();
  }

  moveTo(place, isTold = false) {
    const { first } = this.shown;
    this.spans[this.cursor - first]?.classList.remove("cursor");
    this.cursor = place === null ? null : clamp(place, first, first + this.spans.length - 1);
    if (this.cursor === null) return;
    const span = this.spans[this.cursor - first];
    span.classList.add("cursor");
    this.reveal(this.cursor);
    if (!isTold) return;
    const text = this.tellOf(this.cursor);
    const { right, bottom } = span.getBoundingClientRect();
    this.tooltip.show(text, right, bottom);
    this.tell(text);
  }

  // Scrolls the box alone, never the page.
  reveal(place) {
    const span = this.spans[place - this.shown.first];
    if (!span) return;
    const [inner, outer] = [span.getBoundingClientRect(), this.box.getBoundingClientRect()];
    const above = inner.top - outer.top;
    if (above < 0 || above > outer.height - 2 * inner.height)
      this.box.scrollTop += above - outer.height + 3 * inner.height;
  }

  placeOf(target) {
    const index = this.spans.indexOf(target);
    return index < 0 ? null : this.shown.first + index;
  }
}

function kindOf({ place, source, border, first_key, earliest }, at) {
  const kinds = [];
  if (at > place || at < earliest) kinds.push("away");
  else if (at >= first_key) kinds.push(at < border ? "memory" : "segment");
  if (at === border) kinds.push("border");
  if (at === first_key && at < border) kinds.push("first");
  if (at === place) kinds.push("place");
  if (at === source) kinds.push("source");
  return kinds.join(" ");
}
