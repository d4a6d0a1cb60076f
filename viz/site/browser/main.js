// The entry of the site's own script: ``setting`` is what differs between a folder of files and one file.

import { Site } from "./site.js";

/** @import { Setting } from "./site.js" */

/** @type {(setting: Setting) => Promise<void>} */
export default function start(setting) {
  return new Site(setting).start();
}
