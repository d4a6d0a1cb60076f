// The heads of one layer side by side, the clearest first, with the row of the word being written framed.

import { element, fill, sentences, svgElement } from "../../../../components/browser/dom.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";
import { cut } from "./drawing.js";
import { tell } from "./marks.js";
import { rowIn } from "./row.js";

const LEAST_LABEL = 13;
const LEAST_SLANTED = 17; // in narrower columns, slanted names would run into each other
const MOST_CELL = 22;
const MOST_HIGH = 132;
const TOP = 46;
const WIDE = 820;

export function headsView(context, { part, layer, row, pointed }, act) {
  const { header, words, width } = context;
  const { n_heads } = header.sizes;
  const clearness = header.clearness[part][layer];
  const order = Array.from({ length: n_heads }, (_, head) => head).sort((a, b) => clearness[b] - clearness[a]);
  const columns = width >= WIDE ? 4 : 2;
  const wide = Math.floor((width - (columns - 1) * 16) / columns) - 18;
  const tiles = order.map((head) => {
    const role = header.roles[`${part}.${layer + 1}.${head + 1}`];
    const weights = mapOf(context.blocks, header, { part, layer, head });
    const name = fill(words["head name"], { layer: layer + 1, head: head + 1 });
    const title = element(
      "span",
      { class: "head-title" },
      element("strong", {}, name),
      role ? element("span", { class: "role" }, words[`role ${role}`]) : null,
    );
    const reading = readingOf(context, { part, layer, head, weights, row });
    const label = sentences([name, ...(role ? [words[`role ${role}`]] : []), reading].filter(Boolean), words);
    const tile = element(
      "button",
      {
        type: "button",
        class: head === pointed ? "head-tile pointed" : "head-tile",
        "aria-label": label,
        "data-head": head + 1,
      },
      title,
      mapPicture(context, { part, layer, head, row, width: wide }),
      element("span", { class: "reading" }, reading),
    );
    tile.addEventListener("click", () => act.open({ part, layer, head }));
    return tile;
  });
  const grid = element("div", { class: "head-tiles" }, ...tiles);
  grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  return [grid];
}

// The weights of one head: { at(row, column), rows, columns }, as shares of 1 from bytes.
export function mapOf(blocks, header, { part, layer, head }) {
  const { queries, keys } = sidesOf(header, part);
  const size = queries.length * keys.length;
  const start = (layer * header.sizes.n_heads + head) * size;
  const bytes = blocks[part].subarray(start, start + size);
  return { queries, keys, at: (row, column) => bytes[row * keys.length + column] / 255 };
}

export function sidesOf({ source, read, written }, part) {
  const targets = written.map(({ label }) => label);
  if (part === "encoder") return { queries: source, keys: source };
  return { queries: targets, keys: part === "decoder" ? read : source };
}

// What the row reads most, in words.
function readingOf(context, { part, layer, head, weights, row }) {
  const { words } = context;
  // In bytes a weight is known to half a percent, which the second digit would show.
  const computed = rowIn(context, { part, layer, head, row }, weights);
  const at = computed?.weights ?? weights.keys.map((_, key) => weights.at(row, key));
  const key = at.indexOf(Math.max(...at));
  return fill(words[`reads ${part}`] ?? words.reads, {
    query: weights.queries[row],
    key: weights.keys[key],
    weight: fixed(at[key], 2),
  });
}

function mapPicture(context, { part, layer, head, row, width }) {
  const { header, blocks, images, palette, words } = context;
  const weights = mapOf(blocks, header, { part, layer, head });
  const { queries, keys } = weights;
  const names = Math.min(92, Math.round(width * 0.3));
  const cell = clamp((width - names - 26) / keys.length, 1, Math.min(MOST_CELL, MOST_HIGH / queries.length));
  const hasLabels = cell >= LEAST_LABEL;
  const left = hasLabels ? names : Math.max(0, (width - cell * keys.length) / 2);
  const top = hasLabels ? TOP : 4;
  const [wide, high] = [cell * keys.length, cell * queries.length];
  const parts = [
    svgElement("rect", {
      x: left - 0.5,
      y: top - 0.5,
      width: wide + 1,
      height: high + 1,
      fill: palette.surface,
      stroke: palette.line,
    }),
    svgElement("image", {
      href: images[part][layer * header.sizes.n_heads + head],
      x: left,
      y: top,
      width: wide,
      height: high,
      preserveAspectRatio: "none",
      class: "numbers",
    }),
    svgElement("rect", {
      x: left - 1,
      y: top + row * cell - 1,
      width: wide + 2,
      height: cell + 2,
      fill: "none",
      stroke: `rgb(${palette.opposite.join(" ")})`,
      "stroke-width": 2,
    }),
  ];
  if (hasLabels) {
    queries.forEach((label, index) =>
      parts.push(
        svgElement(
          "text",
          {
            x: left - 6,
            y: top + (index + 0.5) * cell + 4,
            "text-anchor": "end",
            class: "token",
            "font-weight": index === row ? 700 : 400,
          },
          cut(label, names - 6),
        ),
      ),
    );
    keys.forEach((label, index) => {
      const [x, y] = [left + (index + 0.5) * cell + 3, top - 6];
      const [angle, room] = cell < LEAST_SLANTED ? [-90, TOP - 8] : [-50, 62];
      parts.push(
        svgElement("text", { x, y, transform: `rotate(${angle} ${x} ${y})`, class: "token" }, cut(label, room)),
      );
    });
  }
  const svg = svgElement(
    "svg",
    { width, height: top + high + 4, viewBox: `0 0 ${width} ${top + high + 4}`, "aria-hidden": "true" },
    ...parts,
  );
  return tell(svg, (x, y) => {
    const [column, line] = [Math.floor((x * width - left) / cell), Math.floor((y * (top + high + 4) - top) / cell)];
    if (column < 0 || line < 0 || column >= keys.length || line >= queries.length) return "";
    return fill(words["cell"], { query: queries[line], key: keys[column], weight: fixed(weights.at(line, column), 2) });
  });
}
