// The pattern of a head. The weight of a row is dragged to another token, by a pointer or by the arrow keys and Enter.

import { activeElementOf, fill, isPlain } from "../../../../components/browser/dom.js";
import { placeIn } from "../../../../components/browser/enlarged.js";
import { mounted } from "../../../../components/browser/mount.js";
import { peakOf } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { SvgView } from "../../../../components/browser/svg_view.js";
import { drawPattern, layOut, paintRow } from "./drawing.js";
import { begun, keyAt, led, rowAt } from "./placing.js";

export default mounted((parent) => new PatternEditor(parent));

class PatternEditor extends SvgView {
  constructor(parent) {
    super(parent, "pattern-editor");
    // The row whose weight is on its way, the token that it is over, and what holds it: a pointer, keys, or the page,
    // which has not answered yet.
    this.held = null;
    this.from = [0, 0];
    this.isAlong = false;
    const handlers = {
      pointerdown: (event) => this.take(event),
      pointermove: (event) => this.follow(event),
      pointerup: () => this.held?.by === "pointer" && this.put(this.held),
      pointercancel: () => this.drop("pointer"),
      pointerleave: () => this.tooltip.hide(),
      focusin: (event) => this.focus(event),
      focusout: () => this.drop("keys"),
    };
    for (const [name, handle] of Object.entries(handlers)) this.svg.addEventListener(name, handle);
    this.svg.addEventListener("touchmove", (event) => this.keepFromScrolling(event), { passive: false });
  }

  update(bytes, _, setTriggerValue) {
    const { header, blocks } = unpack(bytes);
    this.map = header;
    this.pattern = blocks.pattern;
    this.size = { nRows: header.n_rows, nKeys: header.columns.length, isCausal: header.is_causal };
    this.setTriggerValue = setTriggerValue;
    this.receive(header, { title: header.words.name, file: header.file_name });
    const { nRows, nKeys } = this.size;
    this.focused = Math.min(this.focused, nRows - 1);
    // What a visitor has put is in the new pattern; a weight that is on its way stays so.
    const { held } = this;
    const isOnItsWay = held && held.by !== "page" && held.row < nRows && held.key < nKeys;
    this.held = null;
    this.draw();
    this.hold(isOnItsWay ? held : null);
  }

  resized() {
    this.draw();
  }

  draw() {
    this.layout = layOut(this.map, this.box.clientWidth);
    const weightsOf = (row) => this.weightsOf(row);
    const drawn = drawPattern({ map: this.map, weightsOf, layout: this.layout, focused: this.focused });
    this.show(this.layout, this.map.words.alt, drawn);
    for (let row = 0; row < this.size.nRows; row++) this.say(row);
  }

  // A row that is held looks at one token alone.
  weightsOf(row) {
    const { nKeys } = this.size;
    if (this.held?.row === row) return Float32Array.from({ length: nKeys }, (_, key) => Number(key === this.held.key));
    return this.pattern.subarray(row * nKeys, (row + 1) * nKeys);
  }

  // What a screen reader says of a row.
  say(row) {
    const { words, rows, columns } = this.map;
    const weights = this.weightsOf(row);
    const key = peakOf(weights);
    const said = { row: rows[row], number: row + 1, column: columns[key], weight: weights[key].toFixed(2) };
    const node = this.nodeOf(row);
    node.setAttribute("aria-label", fill(words.row, said));
    node.setAttribute("aria-valuenow", String(key + 1));
    node.setAttribute("aria-valuetext", fill(words.looks, said));
  }

  hold(at) {
    const before = this.held;
    this.held = at;
    this.root.classList.toggle("is-held", at?.by === "pointer");
    for (const row of new Set([before?.row, at?.row])) {
      const node = row === undefined ? null : this.nodeOf(row);
      if (!node) continue;
      paintRow(node, this.weightsOf(row), this.map.scale);
      this.say(row);
    }
  }

  drop(by) {
    if (this.held?.by === by) this.hold(null);
  }

  put({ row, key }) {
    this.hold({ row, key, by: "page" });
    this.setTriggerValue("put", [row, key]);
  }

  take(event) {
    const [x, y] = placeIn(this.svg, event);
    const row = rowAt(y, this.layout, this.size);
    if (event.button || row === null || x < this.layout.left) return;
    this.tooltip.hide();
    this.svg.setPointerCapture(event.pointerId);
    this.focusOn(row);
    this.hold({ row, key: keyAt(row, x, this.layout, this.size), by: "pointer" });
    this.from = [event.clientX, event.clientY];
    this.isAlong = false;
  }

  // A finger that begins along the row drags its weight; one that begins down the page scrolls that, which cancels the
  // drag. touch-action, which would say so, is not heard by parts of a drawing.
  keepFromScrolling(event) {
    if (this.held?.by !== "pointer") return;
    const [{ clientX, clientY }] = event.touches;
    this.isAlong ||= Math.abs(clientX - this.from[0]) > Math.abs(clientY - this.from[1]);
    if (this.isAlong) event.preventDefault();
  }

  follow(event) {
    if (this.held?.by === "pointer") {
      const { row, key } = this.held;
      const next = keyAt(row, placeIn(this.svg, event)[0], this.layout, this.size);
      if (next !== key) this.hold({ row, key: next, by: "pointer" });
    } else this.tell(event);
  }

  tell({ target, clientX, clientY, pointerType }) {
    const row = this.numberOf(target);
    const key = Math.floor((placeIn(this.svg, { clientX, clientY })[0] - this.layout.left) / this.layout.cell.width);
    if (pointerType !== "mouse" || row < 0 || !(key in this.map.columns)) return this.tooltip.hide();
    const { words, rows, columns } = this.map;
    const told = { row: rows[row], column: columns[key], weight: this.weightsOf(row)[key].toFixed(2) };
    this.tooltip.show(fill(words.hover, told), clientX, clientY);
  }

  // The weight of the row that has the focus goes along it, or another row gets the focus.
  press(event) {
    if (!isPlain(event)) return;
    const at = begun(this.focused, this.held, this.weightsOf(this.focused));
    const next = led(event.key, at, this.size);
    if (event.key === "Enter" || event.key === " ") this.put(at);
    else if (event.key === "Escape" && this.held?.by === "keys") this.drop("keys");
    else if (next?.key !== undefined) this.hold({ ...next, by: "keys" });
    else if (next) this.focusOn(next.row);
    else return;
    event.preventDefault();
  }

  focus(event) {
    const row = this.numberOf(event.target);
    if (row >= 0 && row < this.size.nRows) this.focusOn(row);
  }

  focusOn(row) {
    this.moveTo(row);
    const node = this.nodeOf(row);
    if (activeElementOf(this.svg) !== node) node.focus({ preventScroll: true });
  }
}
