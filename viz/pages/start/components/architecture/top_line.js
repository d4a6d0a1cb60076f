// The line above the picture: the sentence, what is written of its translation so far, and the buttons that play it.

import { element, fill, setAttribute, setText } from "../../../../components/browser/dom.js";

const SPEED_NAMES = { 0.5: "½" };

export class TopLine {
  // ``showWord`` is called with the step of a written token, ``toggleScale`` by its button.
  constructor({ player, showWord, toggleScale }) {
    this.player = player;
    this.showWord = showWord;
    this.source = element("p", { class: "line" });
    this.written = element("p", { class: "line" });
    this.button = element("button", { type: "button", class: "play" });
    this.stepButton = element("button", { type: "button", class: "play step" });
    this.speedButton = element("button", { type: "button", class: "play speed" });
    this.scaleButton = element("button", { type: "button", class: "play step" });
    this.buttons = [this.button, this.speedButton, this.stepButton, this.scaleButton];
    this.lines = element("div", { class: "lines" }, this.source, this.written);
    this.node = element("div", { class: "top-line" }, this.lines);
    this.button.addEventListener("click", () => (player.isPlaying ? player.rest() : player.play()));
    this.stepButton.addEventListener("click", () => player.go(1));
    this.speedButton.addEventListener("click", () => {
      player.changeSpeed();
      this.writeSpeed();
    });
    this.scaleButton.addEventListener("click", toggleScale);
  }

  load(header) {
    this.words = header.words;
    const label = (name) => element("span", { class: "language" }, header.words[name]);
    this.sourceTokens = header.source.map((token) => element("span", { class: "token" }, token));
    this.source.replaceChildren(label("source"), ...this.sourceTokens);
    this.tokens = header.written.map(({ label: token }, step) => {
      const button = element("button", { type: "button", class: "token" }, token);
      const show = () => this.player.isAtRest && this.showWord(step);
      button.addEventListener("pointerenter", show);
      button.addEventListener("focus", show);
      button.addEventListener("click", () => this.showWord(step));
      return button;
    });
    this.written.replaceChildren(label("written"), ...this.tokens, ...this.buttons);
  }

  writeSpeed() {
    const speed = `${SPEED_NAMES[this.player.speed] ?? this.player.speed}×`;
    setText(this.speedButton, speed);
    setAttribute(this.speedButton, "aria-label", fill(this.words.speed, { speed }));
  }

  // ``sources`` are the weights that the step gives to the sentence's tokens.
  draw({ words, sources, isToScale, isStill }) {
    const { player } = this;
    this.words = words;
    const most = Math.max(...sources);
    const nWritten = player.revealed("output");
    this.sourceTokens.forEach((node, key) =>
      node.style.setProperty("--p", player.step === null ? 0 : sources[key] / most),
    );
    this.tokens.forEach((node, index) => {
      node.classList.toggle("here", index === player.step);
      node.style.visibility = index < nWritten ? "visible" : "hidden";
    });
    setText(this.button, words[player.isPlaying ? "stop" : "play"]);
    setText(this.stepButton, words.step);
    setText(this.scaleButton, words["to scale"]);
    this.scaleButton.setAttribute("aria-pressed", String(isToScale));
    this.writeSpeed();
    this.button.hidden = isStill;
    this.speedButton.hidden = isStill;
  }
}
