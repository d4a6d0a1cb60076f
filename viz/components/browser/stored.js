// What this browser keeps for another day; it may keep nothing for a page.

/** @type {(name: string) => string | null} */
export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @type {(name: string, text: string) => void} */
export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Then the page or its link alone has it.
  }
}
