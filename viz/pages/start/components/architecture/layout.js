// Where the parts stand: two lanes on a wide screen, as in figure 1 turned by a quarter; one column on a narrow one.

import { clamp } from "../../../../components/browser/numbers.js";

export const ROW = 18;
const TITLE = 26;
export const LINE = 16;
export const PAD = 10;
const MOST_ROWS = 10;
const MOST_ROWS_SMALL = 6;
const WIDE = 700;
const NARROW = 720;
const ROOMY = 1200;
const FRAME = 26;
const LABEL = 42;
const MEMORY = 158;
const KEY = 112;

// Whether an opened head has no room for all of its steps side by side.
export const isNarrow = (/** @type {{ width: number }} */ { width }) => width < NARROW;

// Blocks by name, arrows as points, frames around what is repeated, and the size of it all: two lanes where there is
// room for them, and two columns of small boxes on a phone. ``lines(name, width)`` is how many a block's sentence takes.
export function layOut(width, sizes, nRows, lines) {
  return width >= WIDE
    ? wide(width, sizes, clamp(nRows, 6, MOST_ROWS), lines)
    : tall(width, sizes, clamp(nRows, 4, MOST_ROWS_SMALL));
}

function wide(width, sizes, rows, lines) {
  const GAP = width < ROOMY ? 24 : 40;
  const SMALL = width < ROOMY ? 104 : 142;
  const inputs = Math.round(width * 0.19);
  const output = Math.round(width * 0.14);
  const maps = (width - inputs - output - SMALL - 4 * GAP) / 2;
  const cell = Math.floor((maps - 2 * PAD) / sizes.n_heads);
  const layers = Math.max(sizes.n_encoder_layers, sizes.n_decoder_layers);
  const widths = {
    source: inputs,
    read: inputs,
    encoder: maps,
    decoder: maps,
    cross: maps,
    "encoder feed forward": SMALL,
    "decoder feed forward": SMALL,
    memory: Math.max(maps - SMALL - GAP, MEMORY),
    output,
  };
  const most = Math.max(...Object.entries(widths).map(([name, room]) => lines(name, room - 2 * PAD)));
  const head = TITLE + most * LINE + 6;
  const height = head + Math.max(rows * ROW, cell * layers) + PAD;
  const top = FRAME;
  const below = top + height + FRAME + (width < ROOMY ? 26 : 54);
  const attention = inputs + GAP;
  const cross = attention + maps + GAP;
  const last = cross + maps + GAP;
  const memory = cross + SMALL + GAP;
  const blocks = {
    source: { x: 0, y: top, width: inputs, height },
    encoder: { x: attention, y: top, width: maps, height },
    "encoder feed forward": { x: cross, y: top, width: SMALL, height },
    memory: { x: memory, y: top, width: widths.memory, height },
    read: { x: 0, y: below, width: inputs, height },
    decoder: { x: attention, y: below, width: maps, height },
    cross: { x: cross, y: below, width: maps, height },
    "decoder feed forward": { x: last, y: below, width: SMALL, height },
    output: { x: width - output, y: below, width: output, height },
    legend: { x: memory + widths.memory + GAP, y: top, width: width - memory - widths.memory - GAP, height },
  };
  const between = (left, right) => {
    const y = blocks[left].y + height / 2;
    return {
      from: left,
      to: right,
      points: [
        [blocks[left].x + blocks[left].width, y],
        [blocks[right].x, y],
      ],
    };
  };
  const down = memory + blocks.memory.width / 2;
  return {
    cell,
    head,
    rows,
    blocks,
    arrows: [
      between("source", "encoder"),
      between("encoder", "encoder feed forward"),
      between("encoder feed forward", "memory"),
      {
        points: [
          [down, top + height],
          [down, below],
        ],
        name: "to cross",
        from: "memory",
        to: "cross",
      },
      between("read", "decoder"),
      between("decoder", "cross"),
      between("cross", "decoder feed forward"),
      between("decoder feed forward", "output"),
    ],
    frames: [
      around(blocks, ["encoder", "encoder feed forward"], "encoder"),
      around(blocks, ["decoder", "cross", "decoder feed forward"], "decoder"),
    ],
    width,
    height: below + height + PAD,
  };
}

// The encoder in the left column, the decoder in the right one; a box tells its sentence where it is opened.
function tall(width, sizes, rows) {
  const gutter = 26;
  const column = (width - gutter) / 2;
  const cell = Math.floor((column - 2 * PAD) / sizes.n_heads);
  const head = TITLE + 6;
  const list = head + rows * ROW + PAD;
  const maps = head + cell * Math.max(sizes.n_encoder_layers, sizes.n_decoder_layers) + PAD;
  const strip = head + 54 + PAD;
  const output = head + 5 * 22 + PAD;
  const blocks = {};
  const stack = (x, parts) => {
    let y = 0;
    for (const [name, height, above] of parts) {
      y += above;
      blocks[name] = { x, y, width: column, height };
      y += height;
    }
    return y;
  };
  const left = stack(0, [
    ["source", list, 0],
    ["encoder", maps, 12 + LABEL],
    ["encoder feed forward", strip, 24],
    ["memory", strip, 24],
  ]);
  const right = stack(column + gutter, [
    ["read", list, 0],
    ["decoder", maps, 12 + LABEL],
    ["cross", maps, 24],
    ["decoder feed forward", strip, 24],
    ["output", output, 24],
  ]);
  blocks.legend = { x: 0, y: left + 14, width: column, height: KEY };
  const step = (upper, lower) => {
    const x = blocks[upper].x + column - 16;
    return {
      from: upper,
      to: lower,
      points: [
        [x, blocks[upper].y + blocks[upper].height],
        [x, blocks[lower].y],
      ],
    };
  };
  const across = blocks.cross.y + blocks.cross.height / 2;
  const out = blocks.memory.y + blocks.memory.height / 2;
  const middle = column + gutter / 2;
  return {
    cell,
    head,
    rows,
    blocks,
    arrows: [
      step("source", "encoder"),
      step("encoder", "encoder feed forward"),
      step("encoder feed forward", "memory"),
      {
        points: [
          [column, out],
          [middle, out],
          [middle, across],
          [column + gutter, across],
        ],
        name: "to cross",
        from: "memory",
        to: "cross",
      },
      step("read", "decoder"),
      step("decoder", "cross"),
      step("cross", "decoder feed forward"),
      step("decoder feed forward", "output"),
    ],
    frames: [
      { ...above(blocks.encoder), stack: "encoder" },
      { ...above(blocks.decoder), stack: "decoder" },
    ],
    width,
    height: Math.max(left + 14 + KEY, right) + 4,
  };
}

function around(blocks, names, stack) {
  const [first, last] = [blocks[names[0]], blocks[names[names.length - 1]]];
  const x = first.x - 14;
  return { x, y: first.y - FRAME, width: last.x + last.width - x + 10, height: first.height + FRAME + 10, stack };
}

// A narrow screen has no room for a frame: its label alone stands above the first of the parts.
function above({ x, y }) {
  return { x: x - 14, y: y - LABEL, width: 0, height: 0 };
}
