// A text that this browser keeps: it is sent back once, where the page is opened, and replaced by each later one.

import { mounted } from "../browser/mount.js";
import { store, stored } from "../browser/stored.js";

export default mounted(() => new KeptText());

class KeptText {
  isReturned = false;

  /** @type {(data: { name: string; text: string }, _: unknown, setTriggerValue: (name: string, value: string) => void) => void} */
  update({ name, text }, _, setTriggerValue) {
    const kept = stored(name);
    if (!this.isReturned) {
      this.isReturned = true;
      if (kept && kept !== text) {
        setTriggerValue("kept", kept);
        return;
      }
    }
    if (text && text !== kept) store(name, text);
  }

  remove() {}
}
