// What is open, as the page's link carries it, and the way back through the browser's history.

/** @typedef {{ part: string, layer: number | null, head: number | null }} Place an opened part, counted from 0 */
/** @typedef {{ links: Record<string, string>, sizes: Record<string, number> }} Model */

// A part, in attention with a layer and perhaps a head, both counted from 0: decoder.cross.2.1. None where the model
// has no such layer or head.
/** @type {(text: string | null, model: Model) => Place | null} */
export function readAddress(text, { links, sizes }) {
  const part = Object.keys(links)
    .filter((name) => text === links[name] || text?.startsWith(`${links[name]}.`))
    .sort((a, b) => links[b].length - links[a].length)[0];
  if (!part || text === null) return null;
  const numbers = text.slice(links[part].length);
  if (!/^(?:\.[1-9]\d?){0,2}$/.test(numbers)) return null;
  const [layer = null, head = null] = numbers
    .split(".")
    .slice(1)
    .map((number) => Number(number) - 1);
  const isAttention = part === "encoder" || part === "decoder" || part === "cross";
  const n_layers = sizes[part.startsWith("encoder") ? "n_encoder_layers" : "n_decoder_layers"];
  if ((layer ?? 0) >= n_layers || (head ?? 0) >= sizes.n_heads) return null;
  return { part, layer, head: isAttention && layer !== null ? head : null };
}

/** @type {(place: Place, model: Pick<Model, "links">) => string} */
export function writeAddress({ part, layer, head }, { links }) {
  return [links[part], ...[layer, head].flatMap((number) => (number === null ? [] : number + 1))].join(".");
}

/** @param {string} name */
export function linked(name) {
  return new URLSearchParams(location.search).get(name);
}

// The browser's account of its entries, which older ones do not give.
const navigation = () => /** @type {any} */ (window).navigation;

// The browser's own entries: Streamlit's are one a page, and a part that was opened is left by the way back.
export class Way {
  /** @param {() => void} follow */
  constructor(follow) {
    this.page = location.pathname;
    this.sentence = linked("sentence");
    // Where the way back comes from: this component may still be there while another page is.
    this.from = this.page;
    this.note = (/** @type {{ from: { url: string | null } }} */ { from }) => {
      this.from = from.url === null ? "" : new URL(from.url).pathname;
    };
    navigation()?.addEventListener("currententrychange", this.note);
    this.follow = (/** @type {Event} */ event) => {
      if (location.pathname !== this.page || linked("sentence") !== this.sentence) return;
      // Streamlit would run the whole page again for what it has no part in; but from another page it has to.
      if (this.from === this.page) event.stopImmediatePropagation();
      follow();
    };
    window.addEventListener("popstate", this.follow, true);
  }

  // The names of what the entries before this one show, as far as they were left by opening a part.
  /** @returns {string[]} */
  get before() {
    return history.state?.before ?? [];
  }

  // Values by name; null for what the link does not carry. With the name of what is left, it becomes a new entry.
  /** @type {(values: Record<string, string | null>, left?: string) => void} */
  write(values, left) {
    this.sentence = linked("sentence");
    const address = new URL(location.href);
    for (const [name, value] of Object.entries(values)) {
      if (value === null) address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    if (address.href === location.href) return;
    const isNew = left !== undefined;
    const before = isNew ? [...this.before, left] : this.before;
    const change = isNew ? History.prototype.pushState : History.prototype.replaceState;
    change.call(history, { ...history.state, before }, "", address);
  }

  // To what has this name; false where a link has led here and there is no way back.
  /** @param {string} name */
  back(name) {
    const index = this.before.lastIndexOf(name);
    if (index < 0) return false;
    history.go(index - this.before.length);
    return true;
  }

  remove() {
    navigation()?.removeEventListener("currententrychange", this.note);
    window.removeEventListener("popstate", this.follow, true);
  }
}
