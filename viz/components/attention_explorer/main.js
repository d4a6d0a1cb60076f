// The entry: one explorer for each place on the page. Its data comes again with every rerun; the explorer stays.

import { mounted } from "../browser/mount.js";
import { Explorer } from "./explorer.js";

export default mounted((parent) => new Explorer(parent));
