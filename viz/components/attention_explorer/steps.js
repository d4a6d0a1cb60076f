// Stepping through decoding: a slider over the written tokens, play and pause, and what else each step could have written.

import { element, fill, setAttribute, setText } from "../browser/dom.js";
import { clamp, percent } from "../browser/numbers.js";
import { token } from "./words.js";

/** @import { Parts, State } from "./types" */
/** @typedef {{ node: HTMLElement, stop(): void, go(by: number): void, show(state: State): void, lit(state: State): void }} Steps */

const STEP_TIME = 900; // milliseconds

/** @type {(parts: Pick<Parts, "text" | "header" | "choose" | "state">) => Steps} */
export function createSteps({ text, header, choose, state }) {
  const { steps } = header;
  const last = steps.length - 1;
  const play = element("button", { type: "button", class: "play" });
  const whole = element("button", { type: "button", class: "whole" }, text["step all"]);
  const slider = element("input", {
    type: "range",
    min: 0,
    max: Math.max(0, last),
    step: 1,
    "aria-label": text["step"],
  });
  const output = element("output");
  const list = element("ol", { class: "alternatives" });
  const bar = element(
    "div",
    { class: "bar-line" },
    play,
    element("label", { class: "slider" }, text["step"], slider, output),
    whole,
  );
  const node = element("section", { class: "steps", "aria-label": text["steps"] }, bar, list);
  node.hidden = !steps.length;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  /** @type {number | null | undefined} */
  let drawn;

  function stop() {
    clearInterval(timer);
    timer = undefined;
    setText(play, text["play"]);
  }

  function start() {
    const { step } = state();
    if (step === null || step === last) choose({ step: 0 });
    timer = setInterval(() => {
      const { step: at } = state();
      if (at === null || at >= last) stop();
      else choose({ step: at + 1 });
    }, STEP_TIME);
    setText(play, text["pause"]);
  }

  play.addEventListener("click", () => (timer ? stop() : start()));
  slider.addEventListener("input", () => {
    stop();
    choose({ step: Number(slider.value) });
  });
  whole.addEventListener("click", () => {
    stop();
    choose({ step: null });
  });

  /** @type {(alternative: [string, number], isWritten: boolean) => Node} */
  function alternative([label, probability], isWritten) {
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    strip.style.setProperty("--share", String(probability));
    const value = element("span", { class: "value" }, percent(probability));
    return element(
      "li",
      { class: isWritten ? "written" : null },
      element("span", { class: "label", translate: "no" }, token(label, text)),
      strip,
      value,
    );
  }

  stop();
  return {
    node,
    stop,
    go(by) {
      if (!steps.length) return;
      stop();
      choose({ step: clamp((state().step ?? last) + by, 0, last) });
    },
    show({ step }) {
      const at = step ?? last;
      slider.value = String(at);
      whole.disabled = step === null;
    },
    // What each step could have written instead is there for the last shown one.
    lit({ step }) {
      if (!steps.length || drawn === step) return;
      drawn = step;
      const at = steps[step ?? last];
      setText(
        output,
        fill(text["step of"], { step: (step ?? last) + 1, steps: steps.length, label: token(at.label, text) }),
      );
      setAttribute(slider, "aria-valuetext", output.textContent);
      // Of the last token there is little to say: its place is kept.
      list.classList.toggle("at-rest", step === null);
      list.replaceChildren(...at.alternatives.map((one, index) => alternative(one, index === at.chosen)));
    },
  };
}
