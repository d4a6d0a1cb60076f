// A model's weights from a file of safetensors: float32, float16, or int8 with a float16 scale of each row.

/** @import { Tensor } from "./types" */

const SCALE = ".scale";

// Every float16 as a float32, by its bits.
/** @type {() => Float32Array} */
function halves() {
  return Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
    if (exponent === 0x1f) {
      return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    }
    return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : (fraction / 1024) * 2 ** -14);
  });
}

/** @type {(bytes: Uint8Array) => { header: Record<string, any>; data: Uint8Array }} */
function parts(bytes) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  return { header, data: bytes.subarray(8 + length) };
}

/** @type {(bits: Uint16Array, half: Float32Array) => Float32Array} */
function read(bits, half) {
  const values = new Float32Array(bits.length);
  for (let place = 0; place < bits.length; place++) {
    values[place] = half[bits[place]];
  }
  return values;
}

// Each weight in float32, by its name.
/** @type {(bytes: Uint8Array) => Map<string, Tensor>} */
export function readWeights(bytes) {
  const { header, data } = parts(bytes);
  const half = halves();
  /** @type {Record<string, (copy: ArrayBuffer) => Float32Array | Int8Array>} */
  const readers = {
    F32: (copy) => new Float32Array(copy),
    F16: (copy) => read(new Uint16Array(copy), half),
    I8: (copy) => new Int8Array(copy),
  };
  /** @type {(name: string) => Float32Array | Int8Array} */
  const stored = (name) => {
    const { dtype, data_offsets } = header[name];
    // A copy, because the bytes may begin at an odd address.
    return readers[dtype](data.slice(...data_offsets).buffer);
  };
  const names = Object.keys(header).filter((name) => name !== "__metadata__" && !name.endsWith(SCALE));
  return new Map(
    names.map((name) => {
      const [values, { shape }] = [stored(name), header[name]];
      return [name, { values: values instanceof Int8Array ? scaled(values, stored(name + SCALE)) : values, shape }];
    }),
  );
}

/** @type {(rows: Int8Array, scales: Float32Array | Int8Array) => Float32Array} */
function scaled(rows, scales) {
  const width = rows.length / scales.length;
  const values = new Float32Array(rows.length);
  for (let row = 0; row < scales.length; row++) {
    for (let place = row * width; place < (row + 1) * width; place++) {
      values[place] = rows[place] * scales[row];
    }
  }
  return values;
}

// A matrix with its rows as columns.
/** @type {(matrix: Tensor) => Tensor} */
export function transposed({ values, shape }) {
  const [rows, columns] = shape;
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = values[row * columns + column];
    }
  }
  return { values: turned, shape: [columns, rows] };
}
