// A component of the app in a page without Streamlit: in a shadow tree of its own, with what it reports.

import { element } from "../../components/browser/dom.js";

/** @import { Components } from "./types" */

export class Placed {
  // ``onState`` hears what the component keeps, ``onTrigger`` what has just happened, each by a name.
  /**
   * @param {Components[string]} component
   * @param {{ onState?: (name: string, value: any) => void, onTrigger?: (name: string, value: any) => void }} heard
   */
  constructor({ mount, css }, { onState = () => {}, onTrigger = () => {} }) {
    this.mount = mount;
    this.onState = onState;
    this.onTrigger = onTrigger;
    this.node = element("div", { class: "component" });
    this.root = this.node.attachShadow({ mode: "open" });
    this.root.append(element("style", {}, css));
    this.inner = element("div");
    this.root.append(this.inner);
    this.leave = () => {};
  }

  /** @type {(data: Uint8Array | Record<string, unknown>) => void} */
  show(data) {
    this.leave = this.mount({
      data,
      parentElement: this.inner,
      setStateValue: this.onState,
      setTriggerValue: this.onTrigger,
    });
  }

  remove() {
    this.node.remove();
    this.leave();
  }
}
