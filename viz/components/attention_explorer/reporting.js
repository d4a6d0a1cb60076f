// What the page hears: what is chosen, a moment after the choice, and that weights are wanted in full precision.

const PAUSE = 350; // milliseconds

// ``view`` returns what is chosen, ``digest`` tells recordings apart, ``isThere`` whether what was wanted has come.
export function createReporting({ view, digest, isThere }) {
  let report = null;
  let timer = null;
  let sent = null;
  let wanted = null;

  function tell() {
    sent = JSON.stringify(view());
    report(wanted ? { ...view(), numbers: digest() } : view());
  }

  return {
    to: (given) => (report = given),
    // What the page asks for took the place of what was told to it last.
    forget: () => (sent = null),
    drop: () => (wanted = null),
    stop: () => clearTimeout(timer),
    commit({ isUrgent }) {
      clearTimeout(timer);
      timer = setTimeout(() => JSON.stringify(view()) !== sent && tell(), isUrgent ? 0 : PAUSE);
    },
    // Resolves when they are there: for drawing weights come as bytes, so these are asked for.
    numbers() {
      if (isThere()) return Promise.resolve();
      if (!wanted) {
        wanted = {};
        wanted.arrival = new Promise((arrive) => (wanted.arrive = arrive));
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
