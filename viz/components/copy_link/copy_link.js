// Copies the address of the page, also where the browser keeps its clipboard from pages without HTTPS.
// It is on every page, and so it also keeps to the place in the page that the address names, keeps the way back in order,
// closes the menu of a phone, sends what is typed into boxes of lines, and marks what is not to be translated.

import { copied } from "../browser/copying.js";
import { element, setText } from "../browser/dom.js";
import { mounted } from "../browser/mount.js";
import { markData } from "./data.js";
import { keepOneEntryAPage } from "./history.js";
import { landOn } from "./landing.js";
import { sendLines } from "./lines.js";
import { closeMenuOnChoice } from "./menu.js";

const MOMENT = 1500;

export default mounted((parent) => new CopyLink(parent));

class CopyLink {
  constructor(parent) {
    this.button = element("button", { type: "button" });
    this.button.addEventListener("click", () => this.copy());
    this.state = element("span", { class: "state", role: "status" });
    parent.append(this.button, this.state);
    keepOneEntryAPage();
    this.leave = landOn(location.hash);
    this.leaveMenu = closeMenuOnChoice();
    this.leaveLines = sendLines();
    this.leaveData = markData();
  }

  update(words) {
    this.words = words;
    setText(this.button, words.label);
  }

  async copy() {
    if (!(await copied(location.href, this.button))) return;
    setText(this.button, this.words.copied);
    setText(this.state, this.words.copied);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      setText(this.button, this.words.label);
      setText(this.state, "");
    }, MOMENT);
  }

  remove() {
    this.leave();
    this.leaveMenu();
    this.leaveLines();
    this.leaveData();
    clearTimeout(this.timer);
  }
}
