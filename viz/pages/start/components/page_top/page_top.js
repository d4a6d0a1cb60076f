const shown = new WeakMap();

export default function ({ data, parentElement }) {
  if (shown.has(parentElement) && shown.get(parentElement) !== data) {
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  }
  shown.set(parentElement, data);
}
