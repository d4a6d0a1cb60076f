// What the page hears: what is chosen, a moment after the choice, and that weights are wanted in full precision.

/**
 * @typedef {object} Reporting
 * @property {(report: (view: Record<string, unknown>) => void) => void} to
 * @property {() => void} forget
 * @property {() => void} drop
 * @property {() => void} stop
 * @property {(choice: { isUrgent: boolean }) => void} commit
 * @property {() => Promise<undefined>} numbers
 * @property {() => void} arrived
 */

const PAUSE = 350; // milliseconds

// ``view`` returns what is chosen, ``digest`` tells recordings apart, ``isThere`` whether what was wanted has come.
/** @type {(asked: { view: () => Record<string, unknown>; digest: () => string; isThere: () => boolean }) => Reporting} */
export function createReporting({ view, digest, isThere }) {
  /** @type {(view: Record<string, unknown>) => void} */
  let report;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {string | null} */
  let sent = null;
  /** @type {{ arrival: Promise<undefined>; arrive: () => void; fail: () => void } | null} */
  let wanted = null;

  function tell() {
    sent = JSON.stringify(view());
    report(wanted ? { ...view(), numbers: digest() } : view());
  }

  return {
    to: (given) => {
      report = given;
    },
    // What the page asks for took the place of what was told to it last.
    forget: () => {
      sent = null;
    },
    // What was wanted is of a recording that is not shown any more.
    drop: () => {
      wanted?.fail();
      wanted = null;
    },
    stop: () => clearTimeout(timer),
    commit({ isUrgent }) {
      clearTimeout(timer);
      timer = setTimeout(() => JSON.stringify(view()) !== sent && tell(), isUrgent ? 0 : PAUSE);
    },
    // Resolves when they are there: for drawing weights come as bytes, so these are asked for.
    numbers() {
      if (isThere()) return Promise.resolve(undefined);
      if (!wanted) {
        let [arrive, fail] = [() => {}, () => {}];
        const arrival = new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
          [arrive, fail] = [resolve, () => reject(new Error("another recording has come"))];
        });
        wanted = { arrival, arrive, fail };
        tell();
      }
      return wanted.arrival;
    },
    arrived() {
      if (!wanted || !isThere()) return;
      wanted.arrive();
      wanted = null;
    },
  };
}
