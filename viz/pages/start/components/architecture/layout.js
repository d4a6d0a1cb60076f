// Where the parts stand: two lanes on a wide screen, as in figure 1 turned by a quarter; one column on a narrow one.

import { clamp } from "../../../../components/browser/numbers.js";

export const ROW = 18;
export const HEAD = 44;
const PAD = 10;
const GAP = 40;
const MOST_ROWS = 10;
const WIDE = 1000;
const SMALL = 130;
const FRAME = 26;

// Blocks by name, arrows as points, frames around what is repeated, and the size of it all.
export function layOut(width, sizes, nRows) {
  const rows = clamp(nRows, 6, MOST_ROWS);
  return width >= WIDE ? wide(width, sizes, rows) : tall(width, sizes, rows);
}

function wide(width, sizes, rows) {
  const inputs = Math.round(width * 0.19);
  const output = Math.round(width * 0.14);
  const maps = (width - inputs - output - SMALL - 4 * GAP) / 2;
  const cell = Math.floor((maps - 2 * PAD) / sizes.n_heads);
  const layers = Math.max(sizes.n_encoder_layers, sizes.n_decoder_layers);
  const height = HEAD + Math.max(rows * ROW, cell * layers) + PAD;
  const top = FRAME;
  const below = top + height + FRAME + 54;
  const attention = inputs + GAP;
  const cross = attention + maps + GAP;
  const last = cross + maps + GAP;
  const memory = cross + SMALL + GAP;
  const blocks = {
    source: { x: 0, y: top, width: inputs, height },
    encoder: { x: attention, y: top, width: maps, height },
    "encoder feed forward": { x: cross, y: top, width: SMALL, height },
    memory: { x: memory, y: top, width: maps - SMALL - GAP, height },
    read: { x: 0, y: below, width: inputs, height },
    decoder: { x: attention, y: below, width: maps, height },
    cross: { x: cross, y: below, width: maps, height },
    "decoder feed forward": { x: last, y: below, width: SMALL, height },
    output: { x: width - output, y: below, width: output, height },
    legend: { x: memory + maps - SMALL - GAP + GAP, y: top, width: width - memory - maps + SMALL, height },
  };
  const between = (left, right) => {
    const y = blocks[left].y + height / 2;
    return {
      points: [
        [blocks[left].x + blocks[left].width, y],
        [blocks[right].x, y],
      ],
    };
  };
  const down = memory + blocks.memory.width / 2;
  return {
    cell,
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

function tall(width, sizes, rows) {
  const cell = Math.min(60, Math.floor((width - 2 * PAD - 12) / sizes.n_heads));
  const inner = width - 12;
  const list = HEAD + rows * ROW + PAD;
  const maps = (layers) => HEAD + cell * layers + PAD;
  const half = (inner - 20) / 2;
  const strip = HEAD + 70 + PAD;
  const blocks = {};
  let y = 0;
  const place = (name, height, x = 6, wide = inner) => (blocks[name] = { x, y, width: wide, height });
  const next = (height, gap = 28) => (y += height + gap);
  place("source", list);
  next(list, 28 + FRAME);
  place("encoder", maps(sizes.n_encoder_layers));
  next(maps(sizes.n_encoder_layers));
  place("encoder feed forward", strip, 6, half);
  place("memory", strip, 6 + half + 20, half);
  next(strip);
  place("read", list);
  next(list, 28 + FRAME);
  place("decoder", maps(sizes.n_decoder_layers));
  next(maps(sizes.n_decoder_layers));
  place("cross", maps(sizes.n_decoder_layers));
  next(maps(sizes.n_decoder_layers));
  place("decoder feed forward", strip, 6, half);
  const output = HEAD + 6 * 22 + PAD;
  place("output", output, 6 + half + 20, half);
  next(output, 8);
  const step = (upper, lower) => {
    const [from, to] = [blocks[upper], blocks[lower]];
    const x = Math.min(from.x + from.width, to.x + to.width) - half / 2;
    return {
      points: [
        [x, from.y + from.height],
        [x, to.y],
      ],
    };
  };
  const aside = (left, right) => ({
    points: [
      [6 + half, blocks[left].y + strip / 2],
      [blocks[right].x, blocks[right].y + strip / 2],
    ],
  });
  const edge = width - 2;
  const memory = blocks.memory;
  const across = blocks.cross.y + blocks.cross.height / 2;
  return {
    cell,
    rows,
    blocks,
    arrows: [
      step("source", "encoder"),
      step("encoder", "encoder feed forward"),
      aside("encoder feed forward", "memory"),
      {
        points: [
          [memory.x + memory.width, memory.y + strip / 2],
          [edge, memory.y + strip / 2],
          [edge, across],
          [6 + inner, across],
        ],
        name: "to cross",
      },
      step("read", "decoder"),
      step("decoder", "cross"),
      step("cross", "decoder feed forward"),
      aside("decoder feed forward", "output"),
    ],
    frames: [
      { ...top(blocks.encoder), stack: "encoder" },
      { ...top(blocks.decoder), stack: "decoder" },
    ],
    width,
    height: y,
  };
}

function around(blocks, names, stack) {
  const [first, last] = [blocks[names[0]], blocks[names[names.length - 1]]];
  const x = first.x - 14;
  return { x, y: first.y - FRAME, width: last.x + last.width - x + 22, height: first.height + FRAME + 10, stack };
}

// A narrow screen has no room for a frame: its label alone stands above the first of the parts.
function top({ x, y }) {
  return { x: x - 8, y: y - FRAME, width: 0, height: 0 };
}
