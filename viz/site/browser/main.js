// The entry of the site's own script: ``setting`` is what differs between a folder of files and one file.

import { element, ended } from "../../components/browser/dom.js";
import { Site } from "./site.js";
import { filled } from "./words.js";

/** @import { Setting } from "./site.js" */

/** @type {(setting: Setting) => Promise<void>} */
export default function start(setting) {
  return new Site(setting).start().catch(notStarted);
}

// Without words of its own, it says so in those of the page.
/** @param {any} error */
function notStarted(error) {
  const reason = ended(String(error?.message ?? error), { "full stop": "{sentence}." });
  const sentence = filled(document.body.dataset.notLoaded ?? "", { reason });
  document.body.append(element("p", { class: "message", role: "alert" }, sentence));
}
