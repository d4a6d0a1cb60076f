// Every head of every layer as a small picture, with a bar for each layer and each head number that chooses them all.

import { element, fill, setAttribute, setText } from "../browser/dom.js";
import { paint } from "./colours.js";
import { select } from "./controls.js";
import { ASCENDING, hasHead, isMeasured, measureHeads, ordersOf, shrink } from "./measures.js";
import { headNumber } from "./summary.js";
import { sameHead, toggleHead } from "./view.js";

const LONG_PRESS = 500; // milliseconds

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
  let tiles = [];
  let heads = [];
  let previewed = null;
  let pressed = { timer: null, isHeld: false };
  mosaic.addEventListener("keydown", moveFocus);
  // One listener for all tiles, because one for each of many heads would keep the first picture waiting.
  const onTile = (name, heard) =>
    mosaic.addEventListener(name, (event) => {
      const found = tileAt(event.target);
      if (found) heard(event, found);
    });
  const lift = () => clearTimeout(pressed.timer);
  onTile("pointerdown", (event, { layer, head }) => {
    lift();
    pressed = { timer: null, isHeld: false };
    if (event.pointerType === "mouse") return;
    pressed.timer = setTimeout(() => {
      pressed.isHeld = true;
      pick(layer, head, true);
    }, LONG_PRESS);
  });
  for (const ending of ["pointerup", "pointercancel"]) onTile(ending, lift);
  onTile("contextmenu", (event) => pressed.isHeld && event.preventDefault());
  onTile("click", (event, { layer, head }) => {
    if (!pressed.isHeld) pick(layer, head, event.ctrlKey || event.metaKey || event.shiftKey);
    pressed.isHeld = false;
  });
  onTile("dblclick", (_, { layer, head }) => pick(layer, head, false));
  onTile("pointerover", (event, found) => event.pointerType === "mouse" && point(found));
  onTile("pointerout", (event, found) => {
    const next = tileAt(event.relatedTarget);
    if (next === found) return;
    lift();
    if (event.pointerType === "mouse") point(next);
  });

  function tileAt(node) {
    const button = node?.closest?.(".tile");
    return tiles.find((one) => one.button === button) ?? null;
  }

  function point(found) {
    if (found === previewed) return;
    previewed = found;
    preview(found && [found.layer, found.head]);
  }

  function pick(layer, head, isMore) {
    const picked = [layer, head];
    choose({ heads: isMore ? toggleHead(heads, picked) : [picked], preview: null });
  }

  function pickAll(wanted, isMore) {
    const all = tiles.map(({ layer, head }) => [layer, head]).filter(wanted);
    choose({ heads: isMore ? [...heads, ...all.filter((one) => !heads.some(sameHead(one)))] : all, preview: null });
  }

  function tile(layer, head, value) {
    const face = element("span", { class: "face" });
    const name = fill(text["head name"], { layer: layer + 1, head: head + 1 });
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
      button.append(element("span", { class: "caption" }, `${headNumber([layer, head])} · ${value.value.toFixed(2)}`));
    return { layer, head, button, face };
  }

  // One stop for the Tab key; arrows move over the tiles and the bars beside them.
  function moveFocus(event) {
    const cells = [...mosaic.children];
    const perLine = getComputedStyle(mosaic).gridTemplateColumns.split(" ").length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perLine, ArrowDown: perLine }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let next = cells.indexOf(event.target) + step;
    while (cells[next] && cells[next].tagName !== "BUTTON") next += step;
    if (!cells[next]) return;
    rove(cells[next]);
    cells[next].focus();
  }

  function rove(active) {
    for (const one of mosaic.children) one.tabIndex = one === active ? 0 : -1;
  }

  function marginal(kind, index, mean, most, wanted) {
    const said = fill(text[`all of ${kind}`], {
      number: index + 1,
      value: mean.toFixed(2),
      measure: text["measure pointed"],
    });
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(most ? mean / most : 0));
    const button = element(
      "button",
      { type: "button", class: `marginal of-${kind}`, "aria-label": said, title: said },
      bar,
      String(index + 1),
    );
    button.addEventListener("click", (event) => pickAll(wanted, event.ctrlKey || event.metaKey || event.shiftKey));
    return button;
  }

  // In the model's order: a line for each layer, a column for each head.
  function layOut(field) {
    const pointed = measureHeads(field, "pointed");
    const mean = (wanted) => meanOf(pointed.filter(wanted).map(({ value }) => value));
    const layerMeans = range(field.layers).map((layer) => mean((one) => one.layer === layer));
    const headMeans = range(field.heads).map((head) => mean((one) => one.head === head));
    const cells = [element("span", { class: "corner" }, text["corner"])];
    for (const head of range(field.heads)) {
      cells.push(marginal("head", head, headMeans[head], Math.max(...headMeans), (one) => one[1] === head));
    }
    for (const layer of range(field.layers)) {
      cells.push(marginal("layer", layer, layerMeans[layer], Math.max(...layerMeans), (one) => one[0] === layer));
      for (const head of range(field.heads)) {
        const made = hasHead(field, layer, head) ? tile(layer, head, null) : null;
        if (made) tiles.push(made);
        cells.push(made ? made.button : element("span"));
      }
    }
    return cells;
  }

  function layOutSorted(field, name) {
    const sign = ASCENDING.has(name) ? 1 : -1;
    const sorted = [...measureHeads(field, name)].sort((a, b) => sign * (a.value - b.value));
    tiles = sorted.map(({ layer, head, value }) => tile(layer, head, { name, value }));
    return tiles.map(({ button }) => button);
  }

  function build(field, sortName) {
    tiles = [];
    // In the model's order until what they are sorted by is there.
    const isSorted = sortName !== "layer" && isMeasured(field, sortName);
    box.classList.toggle("sorted", isSorted);
    sort.offer(ordersOf(field).map((name) => [name, text[`sort ${name}`]]));
    sort.show(sortName);
    setText(hint, isSorted && sortName === "alignment" ? text["alignment hint"] : text["overview hint"]);
    mosaic.style.setProperty("--heads", String(field.heads));
    mosaic.style.setProperty("--aspect", String(aspect(field)));
    mosaic.replaceChildren(...(isSorted ? layOutSorted(field, sortName) : layOut(field)));
  }

  function draw(field, hide_special) {
    const isShown = (side, index) => !(hide_special && side.special[index]);
    const kept = (side) => [...new Set(Array.from(side.bins).filter((_, index) => isShown(side, index)))];
    const rows = kept(field.rows);
    const columns = kept(field.columns);
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [mosaic.scrollWidth, mosaic.scrollHeight].map((size) => Math.round(size * ratio));
    // Where it has no room yet, it is drawn when it gets some.
    if (!width || !height) return;
    const pixels = new Uint32Array(width * height);
    const origin = mosaic.getBoundingClientRect();
    for (const { layer, head, face } of tiles) {
      const box = face.getBoundingClientRect();
      const at = [box.left - origin.left, box.top - origin.top, box.width, box.height].map((size) =>
        Math.round(size * ratio),
      );
      const small = shrink(field, layer, head, rows, columns, { width: at[2], height: at[3] });
      enlarge(small, at, pixels, width, tables.sequential);
    }
    paint(canvas, pixels, width, height);
    canvas.style.width = `${mosaic.scrollWidth}px`;
    canvas.style.height = `${mosaic.scrollHeight}px`;
  }

  function mark(state) {
    heads = state.heads;
    for (const { layer, head, button } of tiles) {
      setAttribute(button, "aria-pressed", heads.some(sameHead([layer, head])));
    }
    const first = tiles.find(({ layer, head }) => heads.some(sameHead([layer, head]))) ?? tiles[0];
    if (!mosaic.contains(mosaic.getRootNode().activeElement)) rove(first.button);
  }

  return {
    node,
    build,
    draw,
    mark,
  };
}

function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}

function meanOf(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
}

// Width over height of a tile: the map's own, within what still can be seen and hit.
function aspect(field) {
  return Math.min(Math.max(field.columns.labels.length / field.rows.labels.length, 0.7), 1.6);
}

// A small picture of bytes into its place in a larger one of pixels.
function enlarge(small, [left, top, width, height], pixels, pixelsWidth, table) {
  const columnOf = Int32Array.from({ length: width }, (_, x) => Math.floor((x * small.width) / width));
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y * small.height) / height) * small.width;
    colourLine(small.pixels, from, columnOf, table, pixels, (top + y) * pixelsWidth + left);
  }
}

// A function of its own, because it is compiled after a few lines; a loop inside a loop would wait for that far longer.
function colourLine(bytes, from, columnOf, table, pixels, to) {
  for (let x = 0; x < columnOf.length; x++) pixels[to + x] = table[bytes[from + columnOf[x]]];
}
