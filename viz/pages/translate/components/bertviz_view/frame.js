// Shows a document that may run its own scripts, and nothing else: without allow-same-origin it has an origin that no
// page shares, so it can neither read nor change the page around it.

const shown = new WeakMap();

export default function ({ data, parentElement }) {
  const before = shown.get(parentElement);
  if (before?.html === data.html && before.frame.isConnected) {
    size(before.frame, data);
    return;
  }
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  size(frame, data);
  frame.srcdoc = data.html;
  // A new frame for a new document, because a document that follows another in one frame can enter the history.
  if (before?.frame.isConnected) before.frame.replaceWith(frame);
  else parentElement.append(frame);
  shown.set(parentElement, { html: data.html, frame });
}

function size(frame, { title, height }) {
  frame.title = title;
  frame.style.height = `${height}px`;
}
