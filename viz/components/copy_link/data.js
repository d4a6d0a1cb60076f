// Marks formulas, code and examples, wherever they are drawn, as what a browser that translates the page leaves as it is.

const DATA = ":is(.katex, code, pre, .st-key-example):not([translate])";

// Returns a function that ends it.
export function markData() {
  let frame = 0;
  const mark = () => {
    frame = 0;
    for (const one of document.querySelectorAll(DATA)) one.setAttribute("translate", "no");
  };
  const drawn = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mark);
  });
  drawn.observe(document.body, { childList: true, subtree: true });
  mark();
  return () => {
    cancelAnimationFrame(frame);
    drawn.disconnect();
  };
}
