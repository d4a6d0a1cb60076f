// The strip comes as HTML in which every text is escaped; st.html would take the SVG out of it.

import { element } from "../../../../components/browser/dom.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";

export default mounted((parent) => new Strip(parent));

class Strip {
  constructor(parent) {
    this.place = element("div", { class: "place" });
    this.root = element("div", { class: "computation" }, this.place);
    this.fullScreen = new FullScreen(this.root);
    parent.append(this.root);
  }

  update({ html, name, surface, menu }) {
    this.surface = surface;
    this.root.style.setProperty("--surface", surface);
    if (!this.menu) this.addMenu(name, menu.labels);
    this.menu.offer(menu.served);
    if (this.place.innerHTML !== html) this.place.innerHTML = html;
  }

  addMenu(name, labels) {
    const files = drawnFiles(() => this.shown(), { name: () => "computation", surface: () => this.surface });
    this.menu = createMenu({ labels, name, files, fullScreen: this.fullScreen });
    this.root.prepend(this.menu.node);
  }

  // The one of the two, for a wide and for a narrow window.
  shown() {
    return [...this.place.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width);
  }

  remove() {
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
