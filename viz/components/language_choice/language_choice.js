// A list of languages, by their own names. The page itself is marked as being in the chosen one.

import { element, setAttribute } from "../browser/dom.js";
import { mounted } from "../browser/mount.js";
import { keepLanguage } from "./links.js";

export default mounted((parent) => new LanguageChoice(parent));

class LanguageChoice {
  constructor(parent) {
    this.list = element("select");
    this.list.addEventListener("change", () => this.setTriggerValue("language", this.list.value));
    parent.append(this.list);
    this.leave = keepLanguage();
  }

  update({ names, chosen, label }, _, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    if (!this.list.options.length) {
      this.list.append(
        ...Object.entries(names).map(([value, name]) => element("option", { value, lang: value }, name)),
      );
    }
    this.list.value = chosen;
    setAttribute(this.list, "aria-label", label);
    setAttribute(this.list, "title", label);
    setAttribute(document.documentElement, "lang", chosen);
  }

  remove() {
    this.leave();
  }
}
