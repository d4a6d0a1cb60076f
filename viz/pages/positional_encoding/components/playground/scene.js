// Everything the views draw at one moment. The values are Python's where those are for this view, else the browser's.

import { encodingRow, encodingValue, frequencies, residual, similarities } from "./encoding.js";

/** @import { PlaygroundState } from "./header" */
/** @import { Exact, Look, Numbers } from "./types" */

// A turn in which a hand moves less than this share barely moves.
export const BARELY = 0.1;

// A scene has the fields of its view and of its look, too.
/** @type {new () => PlaygroundState & Look} */
const Drawn = /** @type {any} */ (Object);

export class Scene extends Drawn {
  /**
   * @param {PlaygroundState} view
   * @param {Exact | undefined} exact
   * @param {Look} look
   */
  constructor(view, exact, look) {
    super();
    Object.assign(this, view, look);
    /** @type {Float64Array | null} */
    this.knownProfile = null;
    this.omega = frequencies(view.d_model, view.base);
    const isSameCode = exact?.view.d_model === view.d_model && exact.view.base === view.base;
    this.rows = isSameCode && exact ? exact.rows : new Float32Array(0);
    this.n_rows = Math.min(this.rows.length / view.d_model, view.length);
    this.exact =
      isSameCode &&
      exact &&
      /** @type {(keyof PlaygroundState)[]} */ (Object.keys(view)).every((name) => exact.view[name] === view[name])
        ? exact
        : null;
  }

  get target() {
    return this.position + this.offset;
  }

  /** @type {(pair: number) => number} */
  wavelength(pair) {
    return (2 * Math.PI) / this.omega[pair];
  }

  /** @type {(position: number, dimension: number) => number} */
  valueAt(position, dimension) {
    if (position < this.n_rows) return this.rows[position * this.d_model + dimension];
    return encodingValue(position, dimension, this.omega);
  }

  /** @type {(position: number) => Numbers} */
  rowAt(position) {
    if (position < this.n_rows) return this.rows.subarray(position * this.d_model, (position + 1) * this.d_model);
    return encodingRow(position, this.omega);
  }

  // PE(p) and PE(p + k).
  get ends() {
    if (!this.exact) return [this.rowAt(this.position), this.rowAt(this.target)];
    const { followed } = this.exact;
    return [followed.subarray(0, this.d_model), followed.subarray(this.d_model, 2 * this.d_model)];
  }

  get residual() {
    const [from, to] = this.ends;
    return residual(from, to, this.offset, this.omega);
  }

  // PE(p)·PE(p + k) by |k|, as the formula has it.
  get profile() {
    this.knownProfile ??= similarities(this.length, this.omega);
    return this.knownProfile;
  }

  get anchors() {
    return [0, this.position, this.length - 1];
  }

  // For each anchor its similarity to every position, as Python computes it from the vectors; null while there is none.
  get measured() {
    if (!this.exact) return null;
    const { similarities: known } = this.exact;
    return this.anchors.map((_, index) => known.subarray(index * this.length, (index + 1) * this.length));
  }

  // How many pairs turn at least once within the length, and how many barely move.
  get turns() {
    const turned = Array.from(this.omega, (frequency) => (this.length * frequency) / (2 * Math.PI));
    return { whole: turned.filter((turn) => turn >= 1).length, barely: turned.filter((turn) => turn < BARELY).length };
  }
}
