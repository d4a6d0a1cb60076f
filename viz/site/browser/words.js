// Words with numbers in their places.

import { whole, written } from "../../components/browser/numbers.js";

/** @type {Record<string, (value: any) => string>} */
const FORMATS = { ",": whole, g: written };

// As Python's format() has it, as far as words ask for it: {n}, {n:,} and {n:g}.
/** @type {(text: string, values: Record<string, unknown>) => string} */
export function filled(text, values) {
  return text.replace(/\{(\w+)(?::([,g]))?\}/g, (place, name, format) => {
    if (!(name in values)) return place;
    return format ? FORMATS[format](values[name]) : String(values[name]);
  });
}
