// Making and changing elements. Every text becomes a text node, so that nothing shown can be markup.

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

export function svgElement(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// One pass, so that a value that itself holds {braces} is left as it is.
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// One text of several parts, with a full stop between those that have none.
export function sentences(parts) {
  return parts.reduce((before, part) => before + (/[.。!?]$/.test(before) ? " " : ". ") + part);
}

// Writing what is there already would cost a layout.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}
