// What BertViz asks of require.js, whose libraries are already here: it never loads one.

// biome-ignore-all lint/correctness/noUnusedVariables: BertViz's own script calls both
const require = { config() {} };

function requirejs(names, start) {
  const libraries = { jquery: window.jQuery, d3: window.d3 };
  start(...names.map((name) => libraries[name]));
}
