// In which language the site is read.

const STORED = "language";

// Of those that the site has, the one that the link asks for, was chosen before, or is the browser's; else the first.
/** @type {(languages: string[], linked: string | null) => string} */
export function languageOf(languages, linked) {
  const asked = [linked, stored(), navigator.language.slice(0, 2)];
  return asked.find((one) => one !== null && languages.includes(one)) ?? languages[0];
}

function stored() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** @param {string} language */
export function storeLanguage(language) {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Where a browser keeps nothing, the language lasts as long as the page.
  }
}
