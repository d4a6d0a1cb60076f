// The keys: Escape goes back, the space bar steps, arrows go to another step, row, key or word.

import { isPlain } from "../../../../components/browser/dom.js";
import { sidesOf } from "./heads.js";
import { levelOf, rowsOf, stepAfter } from "./state.js";

export function pressKey(architecture, event) {
  if (event.defaultPrevented || !isPlain(event)) return;
  const { state, root } = architecture;
  const focused = event.composedPath()[0];
  const isInside = event.composedPath().includes(root);
  const isFree = isInside || focused === document.body;
  const isForPicture = isInside || (isFree && (architecture.isPointedAt || architecture.fullScreen.isOn));
  if (event.key === "Escape" && state && isFree) {
    event.preventDefault();
    architecture.leave(levelOf(state) - 1);
  } else if (event.key === " " && isForPicture && !isControl(focused)) {
    event.preventDefault();
    if (!state) architecture.player.go(1);
    else if (levelOf(state) === 2) architecture.change({ step: stepAfter(state, 1) });
  } else if (state && isForPicture && focused.type !== "range") moveByArrow(architecture, event);
}

function moveByArrow(architecture, event) {
  const { state, header } = architecture;
  const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const right = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!down && !right) return;
  event.preventDefault();
  if (right && levelOf(state) === 2) return architecture.change({ step: stepAfter(state, right) });
  if (right && levelOf(state) === 3)
    return architecture.change({ key: around(state.key, right, sidesOf(header, state.part).keys.length) });
  const n = rowsOf(header, state.part);
  architecture.change({ row: around(state.row, down ?? right, n), position: null });
}

const around = (place, by, n) => (place + by + n) % n;

function isControl(node) {
  return node.matches?.("button, a, input, select, textarea, summary, [role=button]") ?? false;
}
