// Where the boxes of a circuit stand: three lanes side by side, layers from the bottom to the top.

const LANES = ["encoder", "cross", "decoder"];
// Pixels of a box, and from one level to the next.
export const BOX = 28;
const STEP = 40;
const [GAP, LANE_GAP, EDGE] = [5, 30, 10];
const [NARROWEST, PADDING, LONGEST] = [34, 12, 120];
const FOOT = 26;

// ``graph`` has parts { lane, level, position, label } and the labels of levels by lane; ``widthOf`` measures a text.
export function layOut(graph, widthOf) {
  const boxes = graph.parts.map((part) => ({
    width: Math.min(Math.max(NARROWEST, widthOf(part.label) + PADDING), LONGEST),
  }));
  const top = Math.max(...graph.parts.map((part) => part.level));
  const height = top * STEP + BOX + 2 * EDGE + FOOT;
  const yOf = (level) => height - FOOT - EDGE - BOX / 2 - level * STEP;
  const labelsOf = (lane) =>
    graph.levels[lane].length ? Math.max(...graph.levels[lane].map((row) => widthOf(row.label))) : 0;
  let x = labelsOf("encoder") + EDGE;
  const lanes = [];
  for (const lane of LANES) {
    const left = x;
    const positions = [...new Set(graph.parts.filter((part) => part.lane === lane).map((part) => part.position))];
    for (const position of positions.sort((one, other) => one - other)) {
      const piles = pilesOf(graph.parts, lane, position);
      const widthOfPile = (pile) => pile.reduce((sum, place) => sum + boxes[place].width + GAP, -GAP);
      const width = Math.max(...piles.map(widthOfPile));
      for (const pile of piles) {
        let at = x + (width - widthOfPile(pile)) / 2;
        for (const place of pile) {
          const box = boxes[place];
          Object.assign(box, { x: at + box.width / 2, y: yOf(graph.parts[place].level) });
          at += box.width + GAP;
        }
      }
      x += width + 2 * GAP;
    }
    const right = Math.max(x, left + widthOf(graph.lanes[lane]));
    lanes.push({ lane, middle: (left + right - 2 * GAP) / 2 });
    x = right + (lane === "decoder" ? 0 : LANE_GAP);
  }
  const rows = ["encoder", "decoder"].flatMap((lane) =>
    graph.levels[lane].map(({ level, label }) => ({
      label,
      y: yOf(level),
      x: lane === "encoder" ? labelsOf("encoder") : x + GAP,
      anchor: lane === "encoder" ? "end" : "start",
    })),
  );
  return { boxes, lanes, rows, foot: height - 6, height, width: x + labelsOf("decoder") + GAP + EDGE };
}

// The places of the parts of a column, by level.
function pilesOf(parts, lane, position) {
  const piles = new Map();
  parts.forEach((part, place) => {
    if (part.lane !== lane || part.position !== position) return;
    piles.set(part.level, [...(piles.get(part.level) ?? []), place]);
  });
  return [...piles.values()];
}

// From the top of a box to the bottom of one above it; between lanes and downwards, from side to side.
export function ribbon(source, target) {
  if (target.y < source.y - BOX) {
    const [from, to] = [source.y - BOX / 2, target.y + BOX / 2];
    const bend = (from - to) / 2;
    return `M${source.x} ${from}C${source.x} ${from - bend} ${target.x} ${to + bend} ${target.x} ${to}`;
  }
  const side = Math.sign(target.x - source.x) || 1;
  const [from, to] = [source.x + (side * source.width) / 2, target.x - (side * target.width) / 2];
  const bend = Math.max(Math.abs(to - from) / 2, 20) * side;
  return `M${from} ${source.y}C${from + bend} ${source.y} ${to - bend} ${target.y} ${to} ${target.y}`;
}
