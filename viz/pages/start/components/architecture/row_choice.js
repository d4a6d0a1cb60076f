// The rows of one head beside its map, of which one is chosen by a click or by the arrow keys.

import { element, fill } from "../../../../components/browser/dom.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";
import { mapOf } from "./heads.js";
import { isNarrow } from "./layout.js";
import { rowTokens, tell } from "./marks.js";

// ``choose`` takes the row, and the column where the map was clicked; ``key`` is the column that is marked, if any.
export function rowChoice(context, { part, layer, head, row, key }, choose) {
  const { header, blocks, images, words, palette } = context;
  const map = mapOf(blocks, header, { part, layer, head });
  const { queries, keys } = map;
  const high = clamp(Math.floor(330 / queries.length), 10, 26);
  const most = isNarrow(context) ? 220 : Math.min(190, context.width * 0.15 + 20);
  const wide = Math.min(high, most / keys.length);
  const placeAt = (x, y) => [
    clamp(Math.floor(x * keys.length), 0, keys.length - 1),
    clamp(Math.floor(y * queries.length), 0, queries.length - 1),
  ];

  const image = element("img", { src: images[part][layer * header.sizes.n_heads + head], alt: "", class: "map" });
  tell(image, (x, y) => {
    const [column, its] = placeAt(x, y);
    return fill(words["cell"], { query: queries[its], key: keys[column], weight: fixed(map.at(its, column), 2) });
  });
  image.addEventListener("click", ({ offsetX, offsetY }) => {
    const [column, its] = placeAt(offsetX / image.clientWidth, offsetY / image.clientHeight);
    choose(its, column);
  });
  const frame = element("span", { class: "row-frame" });
  Object.assign(frame.style, { top: `${row * high - 1}px`, height: `${high + 2}px` });
  const box = element("span", { class: "map-box" }, image, frame);
  Object.assign(box.style, { height: `${high * queries.length}px`, width: `${wide * keys.length}px` });
  if (key !== null) {
    const cell = element("span", { class: "cell-frame" });
    Object.assign(cell.style, {
      top: `${row * high}px`,
      left: `${key * wide}px`,
      height: `${high}px`,
      width: `${wide}px`,
    });
    box.append(cell);
  }
  const list = element("span", { class: "row-tokens" }, ...rowTokens(queries, row, choose));
  list.style.setProperty("--row", `${high}px`);
  return element(
    "div",
    { class: "row-choice", style: `--line:${palette.line}` },
    element("span", { class: "head-cell" }, words["choose row"]),
    element("div", { class: "row-map" }, list, box),
  );
}
