// The model's matrices, each as large as it has weights, beside a model that people have heard of.

import { element, fill, svgElement } from "../../../../components/browser/dom.js";
import { whole } from "../../../../components/browser/numbers.js";
import { tell } from "./marks.js";

// GPT-2 small (Radford et al. 2019).
const OTHER = 124e6;
const MARGIN = 16;
const LABEL = 20;
const LEFT_SHARE = 0.42;

export function scaleView({ inside, words, palette, width, layout }) {
  if (!inside) return [element("p", { class: "waiting" }, "…")];
  const { embedding, layers, total } = inside.header.weights;
  const room = Math.max(300, layout.height - 200);
  const isNarrow = width < 700;
  const side = sideOf({ embedding, layers, wide: isNarrow ? width : width * LEFT_SHARE });
  const parts = [];
  const colour = (opacity) => `rgb(${palette.hue.join(" ")} / ${opacity})`;
  const square = (x, y, n, label, opacity) => {
    const size = side(n);
    const shape = svgElement("rect", {
      x,
      y,
      width: size,
      height: size,
      fill: colour(opacity),
      stroke: palette.surface,
      "stroke-width": 2,
    });
    parts.push(tell(shape, () => fill(words["weights of"], { name: label, n: whole(n) })));
    return size;
  };
  const text = (x, y, label, muted = true) =>
    parts.push(svgElement("text", { x, y, fill: muted ? palette.muted : palette.ink }, label));
  text(0, 14, words["short source"]);
  const first = square(0, LABEL, embedding, words["shared embedding"], 0.9);
  let x = first + 2 * MARGIN;
  let bottom = LABEL + first;
  for (const stack of ["encoder", "decoder"]) {
    text(x, 14, words[stack]);
    for (const { blocks, layer } of layers.filter((one) => one.stack === stack)) {
      let y = LABEL;
      let widest = 0;
      for (const [block, n] of blocks) {
        const name = fill(words["adds block"], { layer: layer + 1, block: words[`block ${stack} ${block}`] });
        const size = square(x, y, n, name, block === "feed_forward" ? 0.3 : 0.6);
        widest = Math.max(widest, size);
        y += size + 4;
      }
      bottom = Math.max(bottom, y);
      x += widest + 4;
    }
    x += 2 * MARGIN;
  }
  text(0, bottom + 24, fill(words["weights in all"], { n: whole(total) }), false);
  text(0, bottom + 44, words["kinds of weights"]);
  // The outline leaves the picture to the right and below.
  const [left, top] = isNarrow ? [0, bottom + 72] : [width * LEFT_SHARE + 4 * MARGIN, LABEL];
  const large = side(OTHER);
  parts.push(
    svgElement("rect", {
      x: left,
      y: top,
      width: large,
      height: large,
      fill: "none",
      stroke: palette.muted,
      "stroke-width": 1.5,
      "stroke-dasharray": "6 4",
    }),
  );
  text(left + 12, top + 24, words["other model"], false);
  text(left + 12, top + 44, words["beyond"]);
  const height = isNarrow ? top + 220 : Math.max(room, bottom + 60);
  return [
    svgElement(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": fill(words["alt scale"], { n: whole(total) }),
      },
      ...parts,
    ),
  ];
}

// Returns the side in pixels of a square with so many weights, where all fit beside each other.
function sideOf({ embedding, layers, wide }) {
  const roots = layers.reduce(
    (sum, { blocks }) => sum + Math.max(...blocks.map(([, n]) => Math.sqrt(n))),
    Math.sqrt(embedding),
  );
  const scale = (wide - 4 * MARGIN - 4 * layers.length) / roots;
  return (n) => Math.sqrt(n) * scale;
}
