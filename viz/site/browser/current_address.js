// The address that the page shows, which a browser does not always take.

// Milliseconds. Safari takes 100 changes in 10 seconds and throws, Firefox and Chrome take 200; Chrome is silent.
const LATER = 10_000;

export class CurrentAddress {
  constructor() {
    /** @type {string | null} */
    this.unwritten = null;
    // That what is not written yet is an entry of its own.
    this.isNewEntry = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get url() {
    return new URL(this.unwritten ?? location.href);
  }

  /** @param {string} address */
  replace(address) {
    this.change(this.isNewEntry, address);
  }

  // The same as another entry of the history.
  /** @param {string} address */
  push(address) {
    this.change(true, address);
  }

  // Drops what is not written yet: the browser has gone to another entry by itself.
  forget() {
    clearTimeout(this.timer);
    this.unwritten = null;
    this.isNewEntry = false;
  }

  /** @type {(isNewEntry: boolean, address: string) => void} */
  change(isNewEntry, address) {
    clearTimeout(this.timer);
    const { href } = new URL(address, this.url);
    try {
      if (isNewEntry) history.pushState({}, "", href);
      else history.replaceState(history.state, "", href);
    } catch {
      // The address is kept, and written later.
    }
    const isWritten = location.href === href;
    this.unwritten = isWritten ? null : href;
    this.isNewEntry = isNewEntry && !isWritten;
    if (!isWritten) this.timer = setTimeout(() => this.change(isNewEntry, href), LATER);
  }
}
