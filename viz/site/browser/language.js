// In which language the site is read.

import { store, stored } from "../../components/browser/stored.js";

const NAME = "language";

// Of those that the site has, the one that the link asks for, was chosen before, or is the browser's; else the first.
/** @type {(languages: string[], linked: string | null) => string} */
export function languageOf(languages, linked) {
  const asked = [linked, stored(NAME), navigator.language.slice(0, 2)];
  return asked.find((one) => one !== null && languages.includes(one)) ?? languages[0];
}

/** @param {string} language */
export function storeLanguage(language) {
  store(NAME, language);
}
