// Which nodes stand after so many steps: those that lead to a beam or to a closed hypothesis. All others have been left.

export function standing(nodes, step) {
  const seen = nodes.map((node, number) => ({ node, number })).filter(({ node }) => node.step < step);
  const beams = seen.filter(({ node }) => node.fate === "kept" && node.step === step - 1);
  const closed = seen.filter(({ node }) => node.fate === "finished");
  const alive = new Set([...beams, ...closed].flatMap(({ number }) => pathTo(nodes, number)));
  const best = (list) => list.reduce((one, other) => (other.node.score > one.node.score ? other : one));
  // As long as beams go on, the leading one is the one to watch, even when another has ended.
  const leader = best(beams.length ? beams : closed);
  return { alive, leading: pathTo(nodes, leader.number) };
}

// From the node back to the first.
function pathTo(nodes, number) {
  const path = [];
  for (let at = number; at !== null; at = nodes[at].parent) path.push(at);
  return path;
}
