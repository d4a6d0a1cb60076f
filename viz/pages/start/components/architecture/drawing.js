// The parts with their numbers, as SVG.

import { colourTable } from "../../../../components/browser/colours.js";
import { fill, setAttribute, svgElement } from "../../../../components/browser/dom.js";
import { percent } from "../../../../components/browser/numbers.js";
import { shortened } from "../../../../components/browser/scripts.js";
import { LINE, PAD, ROW } from "./layout.js";

const BAR = 22;
const FONT = '13px "Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

// Pictures of the blocks' numbers as images, one pixel a number, made once for each sentence and theme.
export function makeImages({ header, blocks }) {
  const { palette, sizes, source, read, written } = header;
  const weights = colourTable(palette.sequential, palette.surface, 256);
  const signed = colourTable(palette.diverging, palette.surface, 256);
  const image = (bytes, table, columns) => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: columns, height: bytes.length / columns });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(canvas.width, canvas.height);
    new Uint32Array(pixels.data.buffer).set(Uint32Array.from(bytes, (byte) => table[byte]));
    context.putImageData(pixels, 0, 0);
    return canvas.toDataURL();
  };
  const heads = (name, layers, rows, columns) =>
    Array.from({ length: layers * sizes.n_heads }, (_, index) =>
      image(blocks[name].subarray(index * rows * columns, (index + 1) * rows * columns), weights, columns),
    );
  const rowsOf = (name, positions) =>
    Array.from({ length: blocks[name].length / (positions * sizes.d_model) }, (_, layer) =>
      Array.from({ length: positions }, (_, row) => {
        const start = (layer * positions + row) * sizes.d_model;
        return image(blocks[name].subarray(start, start + sizes.d_model), signed, sizes.d_model);
      }),
    );
  return {
    encoder: heads("encoder", sizes.n_encoder_layers, source.length, source.length),
    decoder: heads("decoder", sizes.n_decoder_layers, written.length, read.length),
    cross: heads("cross", sizes.n_decoder_layers, written.length, source.length),
    vectors: Object.fromEntries(
      ["source embedding", "source positions", "encoder feed forward", "memory"].map((name) => [
        name,
        rowsOf(name, source.length),
      ]),
    ),
    readVectors: Object.fromEntries(
      ["read embedding", "read positions", "decoder feed forward"].map((name) => [name, rowsOf(name, read.length)]),
    ),
  };
}

// Fills ``svg`` with everything that does not depend on the step; returns what does, as a function of it.
export function drawArchitecture(svg, { header, layout, images }) {
  const { palette, sizes, source, read, written, words } = header;
  const { blocks, cell, rows } = layout;
  const changing = [];
  const parts = [];
  const groups = {};
  let group = null;
  const add = (...children) =>
    group ? group.append(...children.filter(Boolean)) : parts.push(...children.filter(Boolean));

  for (const [name, value] of [
    ["width", layout.width],
    ["height", layout.height],
    ["viewBox", `0 0 ${layout.width} ${layout.height}`],
  ])
    svg.setAttribute(name, value);
  for (const frame of layout.frames) add(framed(frame));
  for (const one of layout.arrows) add(arrow(one));
  input("source", source, images.vectors, source.length);
  input("read", read, images.readVectors, read.length);
  maps("encoder", sizes.n_encoder_layers, [source.length, source.length]);
  maps("decoder", sizes.n_decoder_layers, [written.length, read.length]);
  maps("cross", sizes.n_decoder_layers, [written.length, source.length]);
  strips("encoder feed forward", images.vectors, source.length);
  strips("decoder feed forward", images.readVectors, read.length);
  strips("memory", images.vectors, source.length);
  output();
  group = null;
  legend();
  svg.replaceChildren(svgElement("defs", {}, arrowHead(), ...gradients()), ...parts);
  return {
    groups,
    change: (state) => changing.forEach((change) => change(state)),
    // The arrows into ``block``, along which its input comes.
    arrowsTo: (block) => layout.arrows.filter(({ to }) => to === block),
  };

  // A part that can be opened: everything that is added after it belongs to it.
  function box(name) {
    const { x, y, width, height } = blocks[name];
    const sentence = sentenceOf(name, header);
    group = openable(name, `${words[`part ${name}`]}. ${sentence}`);
    groups[name] = group;
    parts.push(group);
    add(
      svgElement("rect", { x, y, width, height, rx: 6, fill: palette.surface, stroke: palette.line, class: "frame" }),
      text(x + PAD, y + 19, titleOf(name, width), { class: "title" }),
    );
    if (layout.head > 2 * LINE)
      wrap(sentence, width - 2 * PAD).forEach((line, index) =>
        add(text(x + PAD, y + 36 + index * LINE, line, { fill: palette.muted })),
      );
    return { x: x + PAD, y: y + layout.head, width: width - 2 * PAD, height: height - layout.head - PAD };
  }

  function titleOf(name, width) {
    const whole = words[`part ${name}`];
    return widthOf(whole, `600 15px ${FONT.slice(5)}`) <= width - 2 * PAD ? whole : words[`short ${name}`];
  }

  function openable(name, label) {
    return svgElement("g", { class: "part", "data-part": name, role: "button", tabindex: 0, "aria-label": label });
  }

  function framed({ x, y, width, height, stack }) {
    const label = fill(words.repeated, { n: sizes[`n_${stack}_layers`], stack: words[stack] });
    const name = `${stack} residual`;
    const whole = width ? `${words.residual}` : "";
    groups[name] = openable(name, `${words[`part ${name}`]}. ${words["does residual"]}`);
    const link = text(
      x + 14 + (width ? widthOf(label, `600 ${FONT}`) + 14 : 0),
      y + (width ? 17 : 33),
      whole || words["short residual"],
      {
        fill: palette.muted,
        class: "stream",
      },
    );
    groups[name].append(link);
    return svgElement(
      "g",
      {},
      width
        ? svgElement("rect", {
            x,
            y,
            width,
            height,
            rx: 10,
            fill: "none",
            stroke: palette.muted,
            "stroke-dasharray": "4 4",
          })
        : null,
      svgElement("text", { x: x + 14, y: y + 17, fill: palette.ink, "font-weight": 600 }, label),
      groups[name],
    );
  }

  // Rows of tokens, with what the embedding and the position of each is.
  function input(name, labels, vectors, n) {
    const inner = box(name);
    const names = Math.min(92, inner.width * 0.32);
    const wide = (inner.width - names - 24) / 2;
    const kept = n > rows ? rows - 1 : n;
    for (let row = 0; row < kept; row += 1) {
      const y = inner.y + row * ROW;
      const label = text(inner.x, y + 13.5, cut(labels[row], names), { class: "token" });
      add(label);
      const cells = ["embedding", "positions"].map((part, column) =>
        picture(vectors[`${name} ${part}`][0][row], inner.x + names + column * (wide + 24), y + 1, wide, ROW - 2),
      );
      add(...cells);
      if (name === "read")
        changing.push(({ revealed }) =>
          [label, ...cells].forEach((node) => (node.style.opacity = row < revealed(name) ? "1" : "0")),
        );
      else
        changing.push(
          ({ sources }) =>
            (label.style.opacity = String(0.62 + 0.38 * Math.min(1, sources[row] / Math.max(...sources) || 0))),
        );
    }
    const rest = text(inner.x, inner.y + kept * ROW + 13.5, fill(words.more, { n: n - kept }), { fill: palette.muted });
    if (n > kept) add(rest);
    const plus = text(inner.x + names + wide + 12, inner.y, "+", { "text-anchor": "middle", class: "plus" });
    add(plus);
    // Beside the rows that are there; what has no room is counted once it is read.
    changing.push(({ revealed }) => {
      const shown = name === "read" ? Math.min(n, revealed(name)) : n;
      setAttribute(plus, "y", inner.y + (Math.min(shown, rows) * ROW) / 2 + 4);
      plus.style.opacity = shown ? "1" : "0";
      rest.textContent = fill(words.more, { n: shown - kept });
      rest.style.opacity = shown > kept ? "1" : "0";
    });
  }

  // A square for each head: a row of them is a layer.
  function maps(name, layers, [nQueries, nKeys]) {
    const inner = box(name);
    const left = inner.x + (inner.width - cell * sizes.n_heads) / 2;
    const top = inner.y + Math.max(0, inner.height - cell * layers) / 2;
    const size = cell - 4;
    const unit = Math.min(size / nQueries, size / nKeys);
    const [wide, high] = [unit * nKeys, unit * nQueries];
    images[name].forEach((href, index) => {
      const [layer, head] = [Math.floor(index / sizes.n_heads), index % sizes.n_heads];
      const [x, y] = [left + head * cell + (cell - wide) / 2, top + layer * cell + (cell - high) / 2];
      const title = fill(words.head, { kind: words[`part ${name}`], layer: layer + 1, head: head + 1 });
      const drawn = [
        svgElement("rect", {
          x: x - 1,
          y: y - 1,
          width: wide + 2,
          height: high + 2,
          fill: palette.surface,
          stroke: palette.line,
        }),
        picture(href, x, y, wide, high),
      ];
      if (name !== "encoder") {
        const cover = svgElement("rect", { x, width: wide, fill: palette.surface });
        const here = svgElement("rect", {
          x: x - 1,
          width: wide + 2,
          height: unit,
          fill: "none",
          stroke: `rgb(${palette.opposite.join(" ")})`,
          "stroke-width": unit < 3 ? 0.75 : 1.5,
        });
        changing.push(({ step, revealed }) => {
          const n = revealed(name);
          setAttribute(cover, "y", y + n * unit);
          setAttribute(cover, "height", Math.max(0, (nQueries - n) * unit));
          setAttribute(here, "y", y + step * unit);
          here.style.visibility = step === null || step >= n ? "hidden" : "visible";
        });
        drawn.push(cover, here);
      }
      add(svgElement("g", { "data-title": title, "data-layer": layer, "data-head": head, class: "head" }, ...drawn));
    });
  }

  // For each layer a strip: a row is a token's vector.
  function strips(name, vectors, n) {
    const inner = box(name);
    const layers = vectors[name];
    const wide = (inner.width - 6 * (layers.length - 1)) / layers.length;
    const high = Math.min(inner.height / n, ROW);
    layers.forEach((rowsOfLayer, layer) =>
      rowsOfLayer.forEach((href, row) => {
        const node = picture(href, inner.x + layer * (wide + 6), inner.y + row * high, wide, high - (high > 4 ? 1 : 0));
        add(node);
        if (name.startsWith("decoder"))
          changing.push(({ revealed }) => (node.style.opacity = row < revealed(name) ? "1" : "0"));
      }),
    );
  }

  // The most probable next tokens at the step.
  function output() {
    const inner = box("output");
    const names = Math.min(84, inner.width * 0.4);
    const numbers = 42;
    const room = inner.width - names - numbers - 8;
    const lines = Array.from({ length: Math.min(6, Math.floor(inner.height / BAR)) }, (_, index) => {
      const y = inner.y + index * BAR;
      const line = {
        label: text(inner.x, y + 14, "", { class: "token" }),
        bar: svgElement("rect", { x: inner.x + names, y: y + 3, height: 13, fill: `rgb(${palette.hue.join(" ")})` }),
        number: text(inner.x + inner.width, y + 14, "", { "text-anchor": "end", class: "token" }),
      };
      add(line.label, line.bar, line.number);
      return line;
    });
    changing.push(({ step, revealed }) => {
      const last = step === null || step < revealed("output") ? step : step - 1;
      const alternatives = last === null || last < 0 ? [] : written[last].alternatives;
      lines.forEach(({ label, bar, number }, index) => {
        const [name, probability] = alternatives[index] ?? ["", 0];
        label.textContent = cut(name, names);
        setAttribute(label, "font-weight", index ? 400 : 700);
        setAttribute(bar, "width", Math.max(0, probability * room));
        number.textContent = name ? percent(probability) : "";
      });
    });
  }

  // A key for every colour.
  function legend() {
    const { x, y } = blocks.legend;
    const entries = [
      [{ fill: "url(#architecture-weight)", stroke: palette.line }, words["key weight"]],
      [{ fill: "url(#architecture-value)", stroke: palette.line }, words["key value"]],
      [{ fill: "none", stroke: `rgb(${palette.opposite.join(" ")})`, "stroke-width": 2 }, words["key row"]],
    ];
    let top = y + 6;
    for (const [look, label] of entries) {
      add(svgElement("rect", { x: x + 1, y: top + 2, width: 44, height: 13, ...look }));
      for (const line of wrap(label, blocks.legend.width - 56)) {
        add(text(x + 55, top + 13, line, { fill: palette.muted }));
        top += LINE;
      }
      top += 6;
    }
    for (const line of wrap(words["open hint"], blocks.legend.width)) {
      add(text(x, top + 18, line, { fill: palette.muted }));
      top += LINE;
    }
  }

  function gradients() {
    return Object.entries({ weight: palette.sequential, value: palette.diverging }).map(([name, stops]) =>
      svgElement(
        "linearGradient",
        { id: `architecture-${name}` },
        ...stops.map(([offset, colour]) => svgElement("stop", { offset, "stop-color": colour })),
      ),
    );
  }

  // What comes along an arrow of a stack is its residual stream, which a click opens; its label does so by keys.
  function arrow({ points, name, to }) {
    const path = points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
    const line = svgElement("path", {
      d: path,
      fill: "none",
      stroke: name ? `rgb(${palette.hue.join(" ")})` : palette.muted,
      "stroke-width": name ? 2 : 1.5,
      "marker-end": "url(#architecture-arrow)",
      class: name ? "flow" : "",
    });
    if (name) return line;
    const stack = to.startsWith("encoder") || to === "memory" ? "encoder" : "decoder";
    const near = svgElement("path", { d: path, fill: "none", stroke: "transparent", "stroke-width": 22 });
    return svgElement("g", { "data-part": `${stack} residual`, class: "way" }, near, line);
  }

  function arrowHead() {
    return svgElement(
      "marker",
      {
        id: "architecture-arrow",
        viewBox: "0 0 8 8",
        refX: 7.5,
        refY: 4,
        markerWidth: 8,
        markerHeight: 8,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svgElement("path", { d: "M0 0L8 4L0 8z", fill: palette.muted }),
    );
  }
}

function picture(href, x, y, width, height) {
  return svgElement("image", { href, x, y, width, height, preserveAspectRatio: "none", class: "numbers" });
}

function text(x, y, content, attributes = {}) {
  return svgElement("text", { x, y, ...attributes }, content);
}

// One sentence of what a part does.
export function sentenceOf(name, { words, sizes }) {
  const values = { ...sizes, vocabulary_size: sizes.vocabulary_size.toLocaleString("en") };
  return fill(words[`does ${name}`], values);
}

let measure = null;

function widthOf(label, font = FONT) {
  measure ??= document.createElement("canvas").getContext("2d");
  measure.font = font;
  return measure.measureText(label).width;
}

// Lines of at most ``width``: between words, or between characters where a script has no spaces.
export function wrap(label, width) {
  const pieces =
    label.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー][、。」）ー]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
    ) ?? [];
  const lines = [""];
  for (const piece of pieces) {
    const last = lines[lines.length - 1];
    if (last && widthOf((last + piece).trimEnd()) > width) lines.push(piece);
    else lines[lines.length - 1] = last + piece;
  }
  return lines.map((line) => line.trimEnd());
}

// About eight pixels a character.
export function cut(label, width) {
  return shortened(label, Math.max(3, Math.floor(width / 8.2)));
}
