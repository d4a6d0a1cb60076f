// Copying to the clipboard.

import { element } from "./dom.js";

/**
 * Whether ``text`` is copied. Where a browser refuses both ways, it stands beside ``button``, selected, until it is left.
 *
 * @type {(text: string, button: HTMLElement) => Promise<boolean>}
 */
export async function copied(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is none without HTTPS, and a page in another site's frame may not use it.
  }
  const field = element("textarea", { readonly: true, rows: 1, "aria-label": button.textContent }, text);
  button.after(field);
  field.select();
  const isCopied = document.execCommand("copy");
  if (isCopied) {
    field.remove();
    button.focus();
  } else {
    // Not at once: the browser may be removing it itself.
    field.addEventListener("blur", () => setTimeout(() => field.remove()));
  }
  return isCopied;
}
