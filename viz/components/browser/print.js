// Printing a drawing alone.

import { element } from "./dom.js";

// The drawing in SVG on a sheet of its own size, handed to the browser's print, which writes shapes and texts into a PDF.
// The frame runs no script. It has the policy of the page around it, which may allow only styles with the page's nonce.
/** @type {(svg: Element) => void} */
export function printed(svg) {
  const [width, height] = ["width", "height"].map((name) => svg.getAttribute(name));
  const style = `@page { size: ${width}px ${height}px; margin: 0; } body { margin: 0; } svg { display: block; }`;
  const frame = element("iframe", { sandbox: "allow-same-origin allow-modals", "aria-hidden": "true", tabindex: -1 });
  Object.assign(frame.style, { position: "fixed", width: 0, height: 0, border: 0 });
  const nonce = /** @type {HTMLStyleElement | null} */ (document.querySelector("style[nonce]"))?.nonce ?? "";
  frame.srcdoc = `<!doctype html><style nonce="${nonce}">${style}</style>${new XMLSerializer().serializeToString(svg)}`;
  frame.addEventListener("load", () => {
    frame.contentWindow?.addEventListener("afterprint", () => frame.remove());
    frame.contentWindow?.print();
  });
  document.body.append(frame);
}
