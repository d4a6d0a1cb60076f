// The parts with their numbers, as SVG.

import { colourTable } from "../../../../components/browser/colours.js";
import { fill, setAttribute, svgElement } from "../../../../components/browser/dom.js";
import { HEAD, ROW } from "./layout.js";

const PAD = 10;
const BAR = 22;

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
  const add = (...children) => parts.push(...children.filter(Boolean));

  for (const [name, value] of [
    ["width", layout.width],
    ["height", layout.height],
    ["viewBox", `0 0 ${layout.width} ${layout.height}`],
  ])
    svg.setAttribute(name, value);
  for (const frame of layout.frames) add(...framed(frame));
  for (const { points, name } of layout.arrows) add(arrow(points, name));
  input("source", source, images.vectors, source.length);
  input("read", read, images.readVectors, read.length);
  maps("encoder", sizes.n_encoder_layers, [source.length, source.length]);
  maps("decoder", sizes.n_decoder_layers, [written.length, read.length]);
  maps("cross", sizes.n_decoder_layers, [written.length, source.length]);
  strips("encoder feed forward", images.vectors, source.length);
  strips("decoder feed forward", images.readVectors, read.length);
  strips("memory", images.vectors, source.length);
  output();
  if (blocks.legend) legend();
  svg.replaceChildren(svgElement("defs", {}, arrowHead()), ...parts);
  return (state) => changing.forEach((change) => change(state));

  function box(name, values) {
    const { x, y, width, height } = blocks[name];
    add(
      svgElement("rect", { x, y, width, height, rx: 6, fill: palette.surface, stroke: palette.line, class: "part" }),
      link(name, x + PAD, y + 19, words[`part ${name}`], "title"),
      text(x + PAD, y + 36, fill(words[`shape ${name}`], values), { fill: palette.muted }),
    );
    return { x: x + PAD, y: y + HEAD, width: width - 2 * PAD, height: height - HEAD - PAD };
  }

  function link(name, x, y, label, look = "") {
    const address = header.addresses[name];
    const written = text(x, y, label, { fill: palette.ink, class: look });
    return address ? svgElement("a", { href: address, "data-opens": address, class: look }, written) : written;
  }

  function framed({ x, y, width, height, stack }) {
    const label = fill(words.repeated, { n: sizes[`n_${stack}_layers`], stack: words[stack] });
    return [
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
      svgElement(
        "text",
        { x: x + 14, y: y + 17, fill: palette.ink },
        svgElement("tspan", { "font-weight": 600 }, label),
        svgElement("tspan", { dx: 10, fill: palette.muted }, width ? words.residual : ""),
      ),
    ];
  }

  // Rows of tokens, with what the embedding and the position of each is.
  function input(name, labels, vectors, n) {
    const inner = box(name, { n, d_model: sizes.d_model });
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
          [label, ...cells].forEach((node) => (node.style.opacity = row < revealed ? "1" : "0")),
        );
      else
        changing.push(
          ({ sources }) =>
            (label.style.opacity = String(0.45 + 0.55 * Math.min(1, sources[row] / Math.max(...sources) || 0))),
        );
    }
    if (n > kept)
      add(text(inner.x, inner.y + kept * ROW + 13.5, fill(words.more, { n: n - kept }), { fill: palette.muted }));
    add(
      text(inner.x + names + wide + 12, inner.y + (Math.min(n, rows) * ROW) / 2 + 4, "+", {
        "text-anchor": "middle",
        class: "plus",
      }),
    );
  }

  // A square for each head: a row of them is a layer.
  function maps(name, layers, [nQueries, nKeys]) {
    const inner = box(name, { layers, heads: sizes.n_heads, queries: nQueries, keys: nKeys });
    const left = inner.x + (inner.width - cell * sizes.n_heads) / 2;
    const top = inner.y + Math.max(0, inner.height - cell * layers) / 2;
    const size = cell - 4;
    const unit = Math.min(size / nQueries, size / nKeys);
    const [wide, high] = [unit * nKeys, unit * nQueries];
    images[name].forEach((href, index) => {
      const [layer, head] = [Math.floor(index / sizes.n_heads), index % sizes.n_heads];
      const [x, y] = [left + head * cell + (cell - wide) / 2, top + layer * cell + (cell - high) / 2];
      const address = fill(header.addresses[`${name} head`], { layer: layer + 1, head: head + 1 });
      const title = fill(words.head, { kind: words[`part ${name}`], layer: layer + 1, head: head + 1 });
      const parts = [
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
          "stroke-width": 1.5,
        });
        changing.push(({ step, revealed }) => {
          setAttribute(cover, "y", y + revealed * unit);
          setAttribute(cover, "height", Math.max(0, (nQueries - revealed) * unit));
          setAttribute(here, "y", y + step * unit);
          here.style.visibility = step === null ? "hidden" : "visible";
        });
        parts.push(cover, here);
      }
      // One stop of the Tab key leads to all heads of a kind: the part's title.
      add(
        svgElement(
          "a",
          {
            href: address,
            "data-opens": address,
            "data-title": title,
            tabindex: -1,
            "aria-hidden": "true",
            class: "head",
          },
          ...parts,
        ),
      );
    });
  }

  // For each layer a strip: a row is a token's vector.
  function strips(name, vectors, n) {
    const inner = box(name, { n, ...sizes });
    const layers = vectors[name];
    const wide = (inner.width - 6 * (layers.length - 1)) / layers.length;
    const high = Math.min(inner.height / n, ROW);
    layers.forEach((rowsOfLayer, layer) =>
      rowsOfLayer.forEach((href, row) => {
        const node = picture(href, inner.x + layer * (wide + 6), inner.y + row * high, wide, high - (high > 4 ? 1 : 0));
        add(node);
        if (name.startsWith("decoder"))
          changing.push(({ revealed }) => (node.style.opacity = row < revealed ? "1" : "0"));
      }),
    );
  }

  // The most probable next tokens at the step.
  function output() {
    const inner = box("output", { vocabulary_size: sizes.vocabulary_size.toLocaleString("en") });
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
    changing.push(({ step }) => {
      const { alternatives } = written[step ?? written.length - 1];
      lines.forEach(({ label, bar, number }, index) => {
        const [name, probability] = alternatives[index] ?? ["", 0];
        label.textContent = cut(name, names);
        setAttribute(label, "font-weight", index ? 400 : 700);
        setAttribute(bar, "width", Math.max(0, probability * room));
        number.textContent = name ? `${(100 * probability).toFixed(probability > 0.0995 ? 0 : 1)}%` : "";
      });
    });
  }

  function legend() {
    const { x, y } = blocks.legend;
    words.legend.split("\n").forEach((line, index) => add(text(x, y + 19 + index * 19, line, { fill: palette.muted })));
  }

  function arrow(points, name) {
    const path = points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
    return svgElement("path", {
      d: path,
      fill: "none",
      stroke: name ? `rgb(${palette.hue.join(" ")})` : palette.muted,
      "stroke-width": name ? 2 : 1.5,
      "marker-end": "url(#architecture-arrow)",
      class: name ? "flow" : "",
    });
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

// About eight pixels a character.
function cut(label, width) {
  const most = Math.max(3, Math.floor(width / 8.2));
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}
