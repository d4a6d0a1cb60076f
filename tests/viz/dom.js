// As much of a browser as components and pages need to be tested without one.

const SELECTOR = /^(\w+)?((?:\.[\w-]+)*)((?:\[[\w-]+(?:="[^"]*")?\])*)$/;

/** @type {(text: string) => string} */
const attributeOf = (text) => `data-${text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export class FakeElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
    this.heard = {};
    // By name, all of that kind as one.
    this.listeners = new Proxy(this.heard, {
      get: (heard, name) =>
        heard[name]?.size ? (event) => [...heard[name]].map((listener) => listener(event)).at(-1) : undefined,
    });
    this.parent = null;
    this.clientWidth = 0;
    this.set = undefined;
    this.style = {
      setProperty: (name, value) => (this.style[name] = value),
      getPropertyValue: (name) => this.style[name] ?? "",
      removeProperty: (name) => delete this.style[name],
    };
    this.dataset = new Proxy(this.attributes, {
      get: (attributes, name) => attributes[attributeOf(name)],
      set: (attributes, name, value) => {
        attributes[attributeOf(name)] = String(value);
        return true;
      },
    });
    const classes = () => new Set((this.attributes.class ?? "").split(" ").filter(Boolean));
    const write = (change) => {
      const set = classes();
      change(set);
      this.attributes.class = [...set].join(" ");
    };
    this.classList = {
      add: (name) => write((set) => set.add(name)),
      remove: (name) => write((set) => set.delete(name)),
      contains: (name) => classes().has(name),
      toggle: (name, isOn = !classes().has(name)) => write((set) => (isOn ? set.add(name) : set.delete(name))),
    };
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (["hidden", "disabled"].includes(name)) this[name] = true;
    if (name === "value") this.set = value;
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  hasAttribute(name) {
    return name in this.attributes;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  // Of a list, the option that is selected, or else its first one.
  get value() {
    const selected = this.children.find(({ attributes }) => "selected" in (attributes ?? {})) ?? this.children[0];
    return this.set ?? (this.tag === "select" ? selected?.value : undefined) ?? "";
  }

  set value(value) {
    this.set = value;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join("");
  }

  set textContent(text) {
    this.children = [text ?? ""];
  }

  get options() {
    return this.children;
  }

  get childNodes() {
    return this.children;
  }

  get parentElement() {
    return this.parent;
  }

  get className() {
    return this.attributes.class ?? "";
  }

  get childElementCount() {
    return this.children.length;
  }

  get isConnected() {
    return this.getRootNode() === document;
  }

  append(...children) {
    this.adopt(children);
    this.children.push(...children.map((child) => child ?? ""));
  }

  appendChild(child) {
    this.append(child);
    return child;
  }

  prepend(...children) {
    this.adopt(children);
    this.children.unshift(...children);
  }

  before(...children) {
    const { parent } = this;
    parent.adopt(children);
    parent.children.splice(parent.children.indexOf(this), 0, ...children);
  }

  adopt(children) {
    for (const child of children) {
      child?.remove?.();
      if (child instanceof FakeElement) child.parent = this;
    }
  }

  // What has the focus loses it with its place in the page.
  replaceChildren(...children) {
    if (this !== document.activeElement && this.contains(document.activeElement))
      document.activeElement = document.body;
    for (const child of this.children) if (child instanceof FakeElement) child.parent = null;
    this.children = [];
    this.append(...children);
  }

  contains(node) {
    return node === this || this.children.some((child) => child.contains?.(node));
  }

  getRootNode() {
    return this.parent?.getRootNode() ?? (this === document.body ? document : this);
  }

  addEventListener(name, listener) {
    this.heard[name] ??= new Set();
    this.heard[name].add(listener);
  }

  removeEventListener(name, listener) {
    this.heard[name]?.delete(listener);
  }

  // An event at this element, and at those around it; with what the first of its listeners answers.
  dispatch(type, fields = {}) {
    const event = {
      ...{ type, target: this, defaultPrevented: false, composedPath: () => path, stopPropagation() {} },
      ...{ preventDefault: () => (event.defaultPrevented = true), ...fields },
    };
    const path = [];
    for (let node = this; node; node = node.parent) path.push(node);
    if (path.at(-1) === document.body) path.push(document);
    for (const node of path) event.answer ??= node.listeners[type]?.(event);
    return event;
  }

  attachShadow() {
    return new FakeElement("shadow");
  }

  matches(selectors) {
    return selectors.split(",").some((selector) => {
      const [last, ...around] = selector.trim().split(" ").reverse();
      if (around.length && !this.parent?.closest(around.reverse().join(" "))) return false;
      if (last === ":popover-open") return this.isPopoverOpen ?? false;
      const parts = SELECTOR.exec(last);
      if (!parts) return false;
      const [, tag, classes, attributes] = parts;
      const hasAll = [...attributes.matchAll(/\[([\w-]+)(?:="([^"]*)")?\]/g)].every(
        ([, name, value]) => this.hasAttribute(name) && (value === undefined || this.attributes[name] === value),
      );
      const ofClass = classes.split(".").filter(Boolean);
      return (!tag || tag === this.tag) && hasAll && ofClass.every((name) => this.classList.contains(name));
    });
  }

  closest(selectors) {
    return this.matches(selectors) ? this : (this.parent?.closest(selectors) ?? null);
  }

  // Those that match at any depth.
  querySelectorAll(selectors) {
    const elements = this.children.filter((child) => child instanceof FakeElement);
    return elements.flatMap((child) => [
      ...(child.matches(selectors) ? [child] : []),
      ...child.querySelectorAll(selectors),
    ]);
  }

  querySelector(selectors) {
    return this.querySelectorAll(selectors)[0] ?? null;
  }

  getBoundingClientRect() {
    return { x: 0, y: 0, left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 };
  }

  getContext() {
    return { measureText: (text) => ({ width: 7 * text.length }), putImageData() {}, drawImage() {} };
  }

  showPopover() {
    this.isPopoverOpen = true;
  }

  hidePopover() {
    this.isPopoverOpen = false;
  }

  focus() {
    document.activeElement = this;
  }

  remove() {
    if (!this.parent) return;
    this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = null;
  }

  after(...children) {
    const { parent } = this;
    parent.adopt(children);
    parent.children.splice(parent.children.indexOf(this) + 1, 0, ...children);
  }

  select() {}

  replaceWith() {}
}

class FakeDocument extends FakeElement {
  fonts = { check: () => true };

  createElement(tag) {
    return new FakeElement(tag);
  }

  createElementNS(_, tag) {
    return new FakeElement(tag);
  }
}

class Unused {}
class FakeImageData {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
}
class FakeObserver {
  observe() {}
  disconnect() {}
}

// Again for each test that needs a page of its own.
export function newPage() {
  const document = new FakeDocument("document");
  Object.assign(globalThis, { document, window: globalThis, Node: FakeElement, Element: FakeElement });
  Object.assign(globalThis, { HTMLElement: FakeElement, SVGElement: FakeElement, HTMLInputElement: FakeElement });
  Object.assign(globalThis, {
    Document: FakeDocument,
    ShadowRoot: Unused,
    ResizeObserver: FakeObserver,
    ImageData: FakeImageData,
  });
  document.body = document.activeElement = new FakeElement("body");
  document.documentElement = new FakeElement("html");
  globalThis.requestAnimationFrame = (draw) => setTimeout(draw);
  globalThis.cancelAnimationFrame = clearTimeout;
  globalThis.getComputedStyle = ({ style }) => style;
  globalThis.matchMedia = () => ({ matches: false });
  Object.assign(globalThis, { scrollTo() {}, addEventListener() {}, removeEventListener() {} });
  return document.body;
}

newPage();

// As pack() in Python does it.
export function packed(header, blocks = {}) {
  const listed = Object.entries(blocks).map(([name, values]) => ({ name, shape: [values.length], type: "float32" }));
  const bytes = new TextEncoder().encode(JSON.stringify({ ...header, blocks: listed }));
  const numbers = Object.values(blocks).flatMap(({ buffer }) => [...new Uint8Array(buffer)]);
  return new Uint8Array([...new Uint8Array(Uint32Array.of(bytes.length).buffer), ...bytes, ...numbers]);
}
