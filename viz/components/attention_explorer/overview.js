// Every head of every layer as a small picture, with a bar for each layer and each head number that chooses them all.

import { allowedRatio, sharpness } from "../browser/canvas.js";
import { activeElementOf, element, fill, isPlain, setAttribute, setText } from "../browser/dom.js";
import { scaleOf } from "../browser/enlarged.js";
import { paint } from "./colours.js";
import { select } from "./controls.js";
import { ASCENDING, hasHead, isMeasured, measureHeads, ordersOf, shrink } from "./measures.js";
import { hiddenPieces } from "./prepare.js";
import { headNumber, layerName } from "./summary.js";
import { sameHead, toggleHead } from "./view.js";

/** @import { Size } from "../browser/types" */
/** @import { Measured } from "./measures.js" */
/** @import { Field, Head, Parts, State } from "./types" */
/** @typedef {{ layer: number, head: number, button: HTMLElement, face: HTMLElement }} Tile */
/**
 * @typedef {object} Overview
 * @property {HTMLElement} node
 * @property {(field: Field, sortName: string) => void} build
 * @property {(field: Field, sortName: string) => boolean} isLate - whether what orders the heads has come since
 * @property {(field: Field, hide_special: boolean) => void} draw
 * @property {(state: State) => void} mark
 */

const LONG_PRESS = 500; // milliseconds

/** @type {(parts: Parts) => Overview} */
export function createOverview({ text, tables, choose, preview }) {
  const sort = select(text["sort"], [], (name) => choose({ sort: name }));
  const title = element("h2", {}, text["overview"]);
  // One canvas lies under all tiles, because a canvas each would take longer than all that is drawn.
  const canvas = element("canvas", { "aria-hidden": "true" });
  const mosaic = element("div", { class: "mosaic", role: "group", "aria-label": text["overview"] });
  const box = element("div", { class: "mosaic-box" }, canvas, mosaic);
  const hint = element("p", { class: "hint" }, text["overview hint"]);
  const node = element(
    "section",
    { class: "overview" },
    element("div", { class: "bar-line" }, title, sort.node),
    box,
    hint,
  );
  /** @type {Tile[]} */
  let tiles = [];
  /** @type {Head[]} */
  let heads = [];
  let isSorted = false;
  /** @type {Tile | null} */
  let previewed = null;
  /** @type {{ timer: ReturnType<typeof setTimeout> | undefined; isHeld: boolean }} */
  let pressed = { timer: undefined, isHeld: false };
  mosaic.addEventListener("keydown", moveFocus);
  // One listener for all tiles, because one for each of many heads would keep the first picture waiting.
  /** @type {(name: keyof HTMLElementEventMap, heard: (event: any, tile: Tile) => void) => void} */
  const onTile = (name, heard) =>
    mosaic.addEventListener(name, (event) => {
      const found = tileAt(event.target);
      if (found) heard(event, found);
    });
  const lift = () => clearTimeout(pressed.timer);
  onTile("pointerdown", (event, { layer, head }) => {
    lift();
    pressed = { timer: undefined, isHeld: false };
    if (event.pointerType === "mouse") return;
    pressed.timer = setTimeout(() => {
      pressed.isHeld = true;
      pick(layer, head, true);
    }, LONG_PRESS);
  });
  onTile("pointerup", lift);
  onTile("pointercancel", lift);
  onTile("contextmenu", (event) => pressed.isHeld && event.preventDefault());
  onTile("click", (event, { layer, head }) => {
    if (!pressed.isHeld) pick(layer, head, event.ctrlKey || event.metaKey || event.shiftKey);
    pressed.isHeld = false;
  });
  onTile("dblclick", (_, { layer, head }) => pick(layer, head, false));
  onTile("pointerover", (event, pointed) => event.pointerType === "mouse" && point(pointed));
  onTile("pointerout", (event, found) => {
    const next = tileAt(event.relatedTarget);
    if (next === found) return;
    lift();
    if (event.pointerType === "mouse") point(next);
  });

  /** @type {(target: EventTarget | null) => Tile | null} */
  function tileAt(target) {
    const button = target instanceof Element ? target.closest(".tile") : null;
    return tiles.find((one) => one.button === button) ?? null;
  }

  /** @type {(tile: Tile | null) => void} */
  function point(found) {
    if (found === previewed) return;
    previewed = found;
    preview(found && [found.layer, found.head]);
  }

  /** @type {(layer: number, head: number, isMore: boolean) => void} */
  function pick(layer, head, isMore) {
    const picked = headOf({ layer, head });
    choose({ heads: isMore ? toggleHead(heads, picked) : [picked], preview: null });
  }

  /** @type {(isChosen: (head: Head) => boolean, isMore: boolean) => void} */
  function pickAll(isChosen, isMore) {
    const all = tiles.map(headOf).filter(isChosen);
    choose({ heads: isMore ? [...heads, ...all.filter((one) => !heads.some(sameHead(one)))] : all, preview: null });
  }

  /** @type {(field: Field, layer: number, head: number, value: { name: string; value: number } | null) => Tile} */
  function tile(field, layer, head, value) {
    const face = element("span", { class: "face" });
    const name = fill(text["head name"], { layer: layerName(field, layer), head: head + 1 });
    const said =
      value === null
        ? name
        : fill(text["head value"], { name, measure: text[`measure ${value.name}`], value: value.value.toFixed(2) });
    const button = element(
      "button",
      { type: "button", class: "tile", tabindex: -1, "aria-label": said, title: said },
      face,
    );
    if (value)
      button.append(
        element("span", { class: "caption" }, `${headNumber(field, [layer, head])} · ${value.value.toFixed(2)}`),
      );
    return { layer, head, button, face };
  }

  // One stop for the Tab key; arrows move over the tiles and the bars beside them.
  /** @type {(event: KeyboardEvent) => void} */
  function moveFocus(event) {
    const cells = [.../** @type {HTMLCollectionOf<HTMLElement>} */ (mosaic.children)];
    const perLine = getComputedStyle(mosaic).gridTemplateColumns.split(" ").length;
    /** @type {Record<string, number | undefined>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perLine, ArrowDown: perLine };
    const step = steps[event.key];
    if (step === undefined || !isPlain(event)) return;
    event.preventDefault();
    let next = cells.indexOf(/** @type {HTMLElement} */ (event.target)) + step;
    while (cells[next] && cells[next].tagName !== "BUTTON") next += step;
    if (!cells[next]) return;
    rove(cells[next]);
    cells[next].focus();
  }

  /** @type {(active: Element) => void} */
  function rove(active) {
    for (const one of /** @type {HTMLCollectionOf<HTMLElement>} */ (mosaic.children))
      one.tabIndex = one === active ? 0 : -1;
  }

  /** @type {(kind: "layer" | "head", number: number, mean: number, most: number, isChosen: (head: Head) => boolean) => HTMLElement} */
  function marginal(kind, number, mean, most, isChosen) {
    const said = fill(text[`all of ${kind}`], {
      number,
      value: mean.toFixed(2),
      measure: text["measure pointed"],
    });
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(most ? mean / most : 0));
    const button = element(
      "button",
      { type: "button", class: `marginal of-${kind}`, "aria-label": said, title: said },
      bar,
      String(number),
    );
    button.addEventListener("click", (event) => pickAll(isChosen, event.ctrlKey || event.metaKey || event.shiftKey));
    return button;
  }

  // In the model's order: a line for each layer, a column for each head.
  /** @type {(field: Field) => HTMLElement[]} */
  function layOut(field) {
    const pointed = measureHeads(field, "pointed");
    /** @type {(isChosen: (one: Measured) => boolean) => number} */
    const mean = (isChosen) => meanOf(pointed.filter(isChosen).map(({ value }) => value));
    const layerMeans = range(field.layers).map((layer) => mean((one) => one.layer === layer));
    const headMeans = range(field.heads).map((head) => mean((one) => one.head === head));
    /** @type {HTMLElement[]} */
    const cells = [element("span", { class: "corner" }, text["corner"])];
    for (const head of range(field.heads)) {
      cells.push(marginal("head", head + 1, headMeans[head], Math.max(...headMeans), (one) => one[1] === head));
    }
    for (const layer of range(field.layers)) {
      const number = layerName(field, layer);
      cells.push(marginal("layer", number, layerMeans[layer], Math.max(...layerMeans), (one) => one[0] === layer));
      for (const head of range(field.heads)) {
        const made = hasHead(field, layer, head) ? tile(field, layer, head, null) : null;
        if (made) tiles.push(made);
        cells.push(made ? made.button : element("span"));
      }
    }
    return cells;
  }

  /** @type {(field: Field, name: string) => HTMLElement[]} */
  function layOutSorted(field, name) {
    const sign = ASCENDING.has(name) ? 1 : -1;
    const sorted = [...measureHeads(field, name)].sort((a, b) => sign * (a.value - b.value));
    tiles = sorted.map(({ layer, head, value }) => tile(field, layer, head, { name, value }));
    return tiles.map(({ button }) => button);
  }

  /** @type {(field: Field, sortName: string) => void} */
  function build(field, sortName) {
    tiles = [];
    isSorted = canSort(field, sortName);
    box.classList.toggle("sorted", isSorted);
    sort.offer(ordersOf(field).map((name) => [name, text[`sort ${name}`]]));
    sort.show(sortName);
    setText(hint, isSorted && sortName === "alignment" ? text["alignment hint"] : text["overview hint"]);
    mosaic.style.setProperty("--heads", String(field.heads));
    mosaic.style.setProperty("--aspect", String(aspect(field)));
    mosaic.replaceChildren(...(isSorted ? layOutSorted(field, sortName) : layOut(field)));
    hint.hidden = tiles.length === 1;
  }

  /** @type {(field: Field, hide_special: boolean) => void} */
  function draw(field, hide_special) {
    const [rows, columns] = [field.rows, field.columns].map((side) => {
      const hidden = hiddenPieces(side, hide_special);
      return [...new Set(Array.from(side.bins).filter((_, index) => !hidden[index]))];
    });
    const sizes = [mosaic.scrollWidth, mosaic.scrollHeight];
    const ratio = allowedRatio(sizes[0], sizes[1], sharpness(mosaic));
    const [width, height] = sizes.map((size) => Math.round(size * ratio));
    // Where it has no room yet, it is drawn when it gets some.
    if (!width || !height) return;
    const pixels = new Uint32Array(width * height);
    const origin = mosaic.getBoundingClientRect();
    const onScreen = ratio / scaleOf(mosaic);
    for (const { layer, head, face } of tiles) {
      const box = face.getBoundingClientRect();
      const at = [box.left - origin.left, box.top - origin.top, box.width, box.height].map((size) =>
        Math.round(size * onScreen),
      );
      const small = shrink(field, layer, head, rows, columns, { width: at[2], height: at[3] });
      enlarge(small, at, pixels, width, tables.sequential);
    }
    paint(canvas, pixels, width, height);
    canvas.style.width = `${sizes[0]}px`;
    canvas.style.height = `${sizes[1]}px`;
  }

  /** @type {(state: State) => void} */
  function mark(state) {
    heads = state.heads;
    for (const { layer, head, button } of tiles) {
      setAttribute(button, "aria-pressed", heads.some(sameHead([layer, head])));
    }
    const first = tiles.find(({ layer, head }) => heads.some(sameHead([layer, head]))) ?? tiles[0];
    if (!mosaic.contains(activeElementOf(mosaic))) rove(first.button);
  }

  return {
    node,
    build,
    isLate: (field, sortName) => !isSorted && canSort(field, sortName),
    draw,
    mark,
  };
}

// They stand in the model's order until what they are sorted by is there.
/** @type {(field: Field, sortName: string) => boolean} */
function canSort(field, sortName) {
  return sortName !== "layer" && isMeasured(field, sortName);
}

/** @type {(place: { layer: number; head: number }) => Head} */
function headOf({ layer, head }) {
  return [layer, head];
}

/** @type {(count: number) => number[]} */
function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}

/** @type {(values: number[]) => number} */
function meanOf(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

// Width over height of a tile: the map's own, within what still can be seen and hit.
/** @type {(field: Field) => number} */
function aspect(field) {
  return Math.min(Math.max(field.columns.labels.length / field.rows.labels.length, 0.7), 1.6);
}

// A small picture of bytes into its place in a larger one of pixels.
/** @type {(small: Size & { pixels: Uint8Array }, at: number[], pixels: Uint32Array, pixelsWidth: number, table: Uint32Array) => void} */
function enlarge(small, [left, top, width, height], pixels, pixelsWidth, table) {
  const columnOf = Int32Array.from({ length: width }, (_, x) => Math.floor((x * small.width) / width));
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y * small.height) / height) * small.width;
    colourLine(small.pixels, from, columnOf, table, pixels, (top + y) * pixelsWidth + left);
  }
}

// A function of its own, because it is compiled after a few lines; a loop inside a loop would wait for that far longer.
/** @type {(bytes: Uint8Array, from: number, columnOf: Int32Array, table: Uint32Array, pixels: Uint32Array, to: number) => void} */
function colourLine(bytes, from, columnOf, table, pixels, to) {
  for (let x = 0; x < columnOf.length; x++) pixels[to + x] = table[bytes[from + columnOf[x]]];
}
