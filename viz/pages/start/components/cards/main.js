// A grid of links with pictures.

import { element } from "../../../../components/browser/dom.js";
import { followLinks } from "../../../../components/browser/links.js";
import { mounted } from "../../../../components/browser/mount.js";

export default mounted((parent) => new Cards(parent));

class Cards {
  constructor(parent) {
    this.list = element("ul", { class: "cards" });
    parent.append(this.list);
    followLinks(this.list, (address) => this.setTriggerValue("opened", address));
  }

  update({ style, cards }, _, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    this.list.setAttribute("style", style);
    this.list.replaceChildren(
      ...cards.map(({ sentence, page, picture, address }) =>
        element(
          "li",
          {},
          element(
            "a",
            { href: address, "data-opens": address },
            element("img", { src: picture, alt: "", width: 528, height: 192, loading: "lazy" }),
            element("span", { class: "page" }, page),
            element("span", { class: "sentence" }, sentence),
          ),
        ),
      ),
    );
  }

  remove() {
    this.list.remove();
  }
}
