// The address that the page shows, which a browser does not always take.

// Milliseconds. Safari takes 100 changes in 10 seconds and throws, Firefox and Chrome take 200; Chrome is silent.
const LATER = 10_000;

export class CurrentAddress {
  constructor() {
    /** @type {string | null} */
    this.unwritten = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get url() {
    return new URL(this.unwritten ?? location.href);
  }

  /** @param {string} address */
  replace(address) {
    this.change("replaceState", history.state, address);
    if (this.unwritten !== null) this.timer = setTimeout(() => this.replace(address), LATER);
  }

  // The same as another entry of the history, as far as the browser takes it.
  /** @param {string} address */
  push(address) {
    this.change("pushState", {}, address);
  }

  // Where the browser itself goes, it has what it shows.
  forget() {
    clearTimeout(this.timer);
    this.unwritten = null;
  }

  /** @type {(how: "pushState" | "replaceState", state: unknown, address: string) => void} */
  change(how, state, address) {
    clearTimeout(this.timer);
    const { href } = new URL(address, this.url);
    try {
      history[how](state, "", href);
    } catch {
      // Until it does, what is read is what was to be written.
    }
    this.unwritten = location.href === href ? null : href;
  }
}
