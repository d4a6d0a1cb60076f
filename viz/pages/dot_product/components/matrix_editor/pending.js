// What tells the page's answer to an edit, which may be late, from another example.

export class PendingEdits {
  constructor() {
    // What the page has shown last, and after it each edit that it has been sent since.
    /** @type {string[]} */
    this.texts = [];
  }

  // ``matrices`` are texts by name.
  /** @type {(matrices: Record<string, string>) => void} */
  add(matrices) {
    this.texts.push(textOf(matrices));
  }

  // Whether what the page shows is one of these edits, or what it has shown before. It answers in order, and not
  // every edit; anything else is an example that takes the place of all of them.
  /** @type {(matrices: Record<string, string>) => boolean} */
  isAnswer(matrices) {
    const text = textOf(matrices);
    const index = this.texts.indexOf(text);
    this.texts = index < 0 ? [text] : this.texts.slice(index);
    return index >= 0;
  }
}

/** @type {(matrices: Record<string, string>) => string} */
function textOf(matrices) {
  return JSON.stringify(Object.entries(matrices).sort(([one], [other]) => (one < other ? -1 : 1)));
}
