// What is chosen: what the page shows, and over it what it has been asked for and has not answered yet.

/** @typedef {{ place: number, source: number, head: [layer: number, head: number] | null }} Chosen */

/** @type {(one: Chosen, other: Chosen) => boolean} */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class Choice {
  constructor() {
    /** @type {Chosen | null} */
    this.answered = null;
    /** @type {Chosen[]} */
    this.asked = [];
  }

  /** @returns {Chosen} */
  get now() {
    return this.asked.at(-1) ?? /** @type {Chosen} */ (this.answered);
  }

  // The page draws the same once more for a reason of its own, or answers an earlier choice; anything else is its choice.
  /** @type {(shown: Chosen) => void} */
  answer({ place, source, head }) {
    const shown = { place, source, head };
    const index = this.asked.map((one) => isSame(one, shown)).lastIndexOf(true);
    const isLast = index >= 0 && index === this.asked.length - 1;
    if (this.answered && isSame(shown, this.answered) && !isLast) return;
    this.answered = shown;
    this.asked = index < 0 ? [] : this.asked.slice(index + 1);
  }

  // Returns the whole of it, as the page is asked for it.
  /** @type {(change: Partial<Chosen>) => Chosen} */
  change(change) {
    const asked = /** @type {Chosen} */ ({ ...this.now, ...change });
    this.asked.push(asked);
    return asked;
  }
}
