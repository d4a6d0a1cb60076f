// What this browser keeps for another day; where it keeps nothing for a page, for as long as the page is open.

/** @type {Map<string, string>} */
const refused = new Map();

/** @type {(name: string) => string | null} */
export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return refused.get(name) ?? null;
  }
}

/** @type {(name: string, text: string) => void} */
export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    refused.set(name, text);
  }
}
