// The order of computation: the encoder once, and then for each word the decoder, block by block.

import { svgElement } from "../../../../components/browser/dom.js";

const ENCODER = ["source", "encoder", "encoder feed forward", "memory"];
const DECODER = ["read", "decoder", "cross", "decoder feed forward", "output"];
// In milliseconds: the first word is to be followed with the eye, those after it are quicker.
const SLOW = 280;
const QUICK = 90;
const QUICKEST = 25;
const MOST_QUICK = 3500;
const PULSE = 240;
const SPEEDS = [1, 2, 0.5];

export class Player {
  constructor(changed) {
    this.changed = changed;
    this.speed = SPEEDS[0];
    this.load(0, 0);
  }

  load(words, resting) {
    this.stop();
    this.words = words;
    this.resting = resting;
    this.home = resting;
    this.rest();
  }

  get isPlaying() {
    return this.timer !== null;
  }

  get isAtRest() {
    return this.place === null;
  }

  // The block that computes now, or null at rest.
  get block() {
    const { place } = this;
    if (place === null) return null;
    return place < ENCODER.length ? ENCODER[place] : DECODER[(place - ENCODER.length) % DECODER.length];
  }

  // The word being written; null while the encoder reads.
  get step() {
    if (this.place === null) return this.resting;
    return this.place < ENCODER.length ? null : Math.floor((this.place - ENCODER.length) / DECODER.length);
  }

  // How many rows a block of the decoder has computed so far.
  revealed(block) {
    if (this.place === null) return this.words;
    const { step } = this;
    if (step === null) return 0;
    const isReached = DECODER.indexOf(block) <= DECODER.indexOf(this.block);
    return step + (isReached ? 1 : 0);
  }

  rest(step = this.resting) {
    this.stop();
    this.place = null;
    this.resting = step;
    this.changed(this);
  }

  // What plays already goes on at the new speed.
  changeSpeed() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
  }

  // To the block that computes next, or before; past either end it rests.
  move(by) {
    const n = ENCODER.length + DECODER.length * this.words;
    const place = this.place === null ? (by > 0 ? 0 : n - 1) : this.place + by;
    if (place < 0 || place >= n) return this.rest(this.home);
    this.place = place;
    this.changed(this);
  }

  go(by) {
    this.stop();
    this.move(by);
  }

  play() {
    this.stop();
    this.place = null;
    const later = Math.min(QUICK, Math.max(QUICKEST, MOST_QUICK / (DECODER.length * this.words)));
    const go = () => {
      const isQuick = this.place !== null && this.place >= ENCODER.length + DECODER.length - 1;
      this.timer = setTimeout(go, (isQuick ? later : SLOW) / this.speed);
      this.move(1);
    };
    go();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}

// A dot on its way along each of ``arrows`` into the block that computes.
export function pulse(svg, arrows, { fill, speed }) {
  for (const { points } of arrows) {
    const dot = svgElement("circle", { r: 5, fill, class: "pulse" });
    svg.append(dot);
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    const remove = () => dot.remove();
    dot
      .animate(frames, { duration: PULSE / speed, easing: "ease-in-out", fill: "forwards" })
      .finished.then(remove, remove);
  }
}
