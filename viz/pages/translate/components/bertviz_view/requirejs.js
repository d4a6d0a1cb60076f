// What BertViz asks of require.js, whose libraries are already here: it never loads one.

// biome-ignore-all lint/correctness/noUnusedVariables: BertViz's own script calls both
const require = { config() {} };

function requirejs(names, start) {
  const { jQuery, d3 } = /** @type {any} */ (window);
  const libraries = { jquery: jQuery, d3 };
  start(...names.map((name) => libraries[name]));
}
