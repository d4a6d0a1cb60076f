// Every head at once: a row for each layer, a cell for each head, in it a bar for each character from memory to segment.

import { Frames, Picture, useFont } from "../../../../components/browser/canvas.js";
import { css } from "../../../../components/browser/colours.js";
import { element, isPlain, setAttribute } from "../../../../components/browser/dom.js";
import { boxInWindow, placeIn } from "../../../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { DIRECTIONS } from "../../../../components/browser/nearest.js";
import { clamp, fixed, peakOf } from "../../../../components/browser/numbers.js";
import { paintedFiles } from "../../../../components/browser/painted_file.js";
import { FONT, markRect, straight } from "../../../../components/browser/plot.js";
import { rowOf, shareOf } from "./weights.js";

const [LEFT, TOP, GAP, LOWEST] = [26, 20, 5, 34];
const AROUND = 60; // pixels of what stands around the mosaic that fills the window

export class Mosaic {
  // preview(head) is called while one is pointed at, with undefined when none is; choose(head) for a click or Enter.
  constructor({ menu, tooltip, say, tell, preview, choose }) {
    this.tooltip = tooltip;
    this.say = say;
    this.tell = tell;
    this.preview = preview;
    this.choose = choose;
    this.box = element("div", { class: "mosaic", tabindex: 0, role: "application" });
    this.node = element("div", { class: "mosaic-part" });
    this.fullScreen = new FullScreen(this.node);
    this.fullScreen.onChange(() => this.fit());
    const paint = (context) => this.paint(context);
    const look = {
      name: () => "memory-attention",
      size: () => this.picture,
      surface: () => this.shown.palette.surface,
    };
    const files = paintedFiles(paint, look);
    const title = this.say("mosaic title", {});
    this.menu = createMenu({ labels: menu.labels, name: title, files, fullScreen: this.fullScreen });
    this.node.append(element("div", { class: "heading" }, element("span", {}, title), this.menu.node), this.box);
    this.frames = new Frames(() => this.draw());
    this.picture = new Picture(this.box, () => this.frames.request());
    this.cursor = null;
    this.listen();
  }

  listen() {
    this.box.addEventListener("pointermove", (event) => this.point(event));
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("click", (event) => {
      const head = this.headAt(event);
      if (head) this.choose(head);
    });
    this.box.addEventListener("blur", () => this.leave());
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  update(shown) {
    this.shown = shown;
    this.menu.offer(shown.menu.served);
    this.fit();
    setAttribute(this.box, "aria-roledescription", this.say("mosaic role", {}));
    setAttribute(this.box, "aria-label", shown.alt);
    this.frames.request();
  }

  draw() {
    if (this.shown && this.picture.isOnScreen && this.picture.width) this.paint(this.picture.begin());
  }

  fit() {
    const { layers } = this.shown;
    const room = this.fullScreen.isOn ? this.fullScreen.room - AROUND : 0;
    this.row = Math.max(LOWEST, (room - TOP) / layers - GAP);
    this.box.style.height = `${TOP + layers * (this.row + GAP)}px`;
  }

  cell([layer, head]) {
    const width = (this.picture.width - LEFT) / this.shown.heads - GAP;
    return { x: LEFT + head * (width + GAP), y: TOP + layer * (this.row + GAP), width, height: this.row };
  }

  paint(context) {
    const { layers, heads, palette } = this.shown;
    useFont(context, FONT);
    Object.assign(context, { fillStyle: palette.muted, textBaseline: "middle", textAlign: "center" });
    for (let head = 0; head < heads; head++) {
      const { x, width } = this.cell([0, head]);
      context.fillText(String(head + 1), x + width / 2, TOP / 2);
    }
    for (let layer = 0; layer < layers; layer++) {
      context.fillStyle = palette.muted;
      context.fillText(String(layer + 1), LEFT / 2, this.cell([layer, 0]).y + this.row / 2);
      for (let head = 0; head < heads; head++) this.paintHead(context, [layer, head]);
    }
  }

  paintHead(context, head) {
    const { palette, keys, border, first_key } = this.shown;
    const { x, y, width, height } = this.cell(head);
    const values = rowOf(this.shown, head);
    const most = values[peakOf(values)] || 1;
    context.fillStyle = css(palette.hue);
    const step = width / keys;
    for (let index = 0; index < keys; index++) {
      const size = (values[index] / most) * height;
      if (size >= 0.3) context.fillRect(x + index * step, y + height - size, Math.max(step, 1), size);
    }
    const isChosen = this.shown.head && this.shown.head[0] === head[0] && this.shown.head[1] === head[1];
    const isPointed = this.cursor && this.cursor[0] === head[0] && this.cursor[1] === head[1];
    Object.assign(context, { strokeStyle: palette.line, lineWidth: 1 });
    context.strokeRect(x, y, width, height);
    if (isChosen || isPointed) markRect(context, palette, x, y, width, height);
    if (isChosen) markRect(context, palette, x - 1, y - 1, width + 2, height + 2);
    if (border > first_key) {
      const at = x + (border - first_key) * step;
      Object.assign(context, { strokeStyle: palette.muted, lineWidth: 1 });
      context.setLineDash([2, 2]);
      straight(context, at, y, at, y + height);
      context.setLineDash([]);
    }
  }

  tellOf(head) {
    const { labels, first, first_key, place, border } = this.shown;
    const values = rowOf(this.shown, head);
    const peak = peakOf(values);
    return this.say("head", {
      layer: head[0] + 1,
      head: head[1] + 1,
      character: labels[first_key + peak - first],
      back: place - first_key - peak,
      weight: fixed(values[peak], 3),
      share: fixed(100 * shareOf(values, border - first_key), 0),
    });
  }

  point(event) {
    const head = this.headAt(event);
    if (!head) return this.leave();
    this.show(head);
    this.tooltip.show(this.tellOf(head), event.clientX, event.clientY, this.boxOf(head));
  }

  // Where a head is in the window.
  boxOf(head) {
    return boxInWindow(this.box, this.cell(head));
  }

  show(head) {
    if (this.cursor && head && this.cursor[0] === head[0] && this.cursor[1] === head[1]) return;
    this.cursor = head;
    this.preview(head ?? undefined);
    this.frames.request();
  }

  leave() {
    this.tooltip.hide();
    this.show(null);
  }

  key(event) {
    if (!isPlain(event)) return;
    const { layers, heads } = this.shown;
    const [layer, head] = this.cursor ?? this.shown.head ?? [0, 0];
    if (event.key in DIRECTIONS) {
      const [across, down] = this.cursor ? DIRECTIONS[event.key] : [0, 0];
      this.show([clamp(layer + down, 0, layers - 1), clamp(head + across, 0, heads - 1)]);
      const box = this.boxOf(this.cursor);
      this.tooltip.show(this.tellOf(this.cursor), box.left, box.bottom, box);
      this.tell(this.tellOf(this.cursor));
    } else if (event.key === "Enter" && this.cursor) this.choose(this.cursor);
    else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
  }

  headAt(event) {
    const [x, y] = placeIn(this.box, event);
    for (let layer = 0; layer < this.shown.layers; layer++)
      for (let head = 0; head < this.shown.heads; head++) {
        const cell = this.cell([layer, head]);
        const isIn = x >= cell.x && x <= cell.x + cell.width && y >= cell.y && y <= cell.y + cell.height;
        if (isIn) return [layer, head];
      }
    return null;
  }

  remove() {
    this.frames.cancel();
    this.picture.remove();
    this.menu.remove();
    this.fullScreen.remove();
  }
}
