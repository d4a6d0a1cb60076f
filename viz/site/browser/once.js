// What is loaded once and kept.

/**
 * A function that loads by ``load`` when it is first called; what could not be loaded is asked for again.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
 */
export function loadedOnce(load) {
  /** @type {Promise<T> | null} */
  let loading = null;
  return () => {
    loading ??= load().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
