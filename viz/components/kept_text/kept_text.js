// A text that this browser keeps: it is sent back once, where the page is opened, and replaced by each later one.

import { mounted } from "../browser/mount.js";

export default mounted(() => new KeptText());

class KeptText {
  isReturned = false;

  /** @type {(data: { name: string; text: string }, _: unknown, setTriggerValue: (name: string, value: string) => void) => void} */
  update({ name, text }, _, setTriggerValue) {
    const kept = read(name);
    if (!this.isReturned) {
      this.isReturned = true;
      if (kept && kept !== text) {
        setTriggerValue("kept", kept);
        return;
      }
    }
    if (text && text !== kept) write(name, text);
  }

  remove() {}
}

// A browser may keep nothing for a page.
/** @type {(name: string) => string | null} */
function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @type {(name: string, text: string) => void} */
function write(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Then the link alone has it.
  }
}
