import { type Key, philox } from "../core/philox.ts";
import type { Shape } from "./shapes.ts";
import { sortDistinct } from "./sort-distinct.ts";

/** Feature values as floats, or encoded in 16 bits to take less memory. */
type FeatureNumbers = Float32Array | Uint16Array;

/** Rows `begin` … `end − 1` of a generated graph. The next call of the generator overwrites the arrays: copy to keep. */
export interface ShapeRows<T = Float32Array> {
  readonly begin: number;
  readonly end: number;
  /** Starts at 0 with row `begin`. */
  readonly rowPtr: Int32Array;
  readonly colIdx: Int32Array;
  /** One dense row per node. */
  readonly features: T;
  readonly labels: Int32Array;
}

// Third word of the Philox counter: what the random bits are for.
const DEGREES = 1;
const EDGES = 2;
const NOISE = 3;
const CENTRES = 4;

const HEAVIEST_ROW = 50; // cap on a row's degree, in mean degrees, so that one row never dominates a chunk
const CLASS_SIGNAL = 1.7; // norm of a class centre, against noise of standard deviation 1 in every feature

/**
 * A function that generates rows `begin` … `end − 1` of a graph of this shape. Node i has class i mod C, most edges stay
 * within the class, in- and out-degrees are skewed, and features are a class centre plus noise. All random bits are a
 * function of (seed, row, draw), so any range of rows can be generated on its own and in any order, with the same result.
 *
 * An undirected graph is the symmetrised form of these rows, which hold half of its entries.
 */
export function rowGenerator(shape: Shape, seed: number): (begin: number, end: number) => ShapeRows {
  return encodedRowGenerator(shape, seed, (values) => values);
}

/**
 * As {@link rowGenerator}, with features in another encoding. `encode` is called once, with all values that a feature
 * can have; no feature is encoded on its own.
 */
export function encodedRowGenerator<T extends FeatureNumbers>(
  shape: Shape,
  seed: number,
  encode: (values: Float32Array) => T,
): (begin: number, end: number) => ShapeRows<T> {
  const key: Key = { lo: seed >>> 0, hi: Math.floor(seed / 2 ** 32) >>> 0 };
  const drawEdges = edgeDrawer(shape, key);
  const centres = classCentres(shape, key);
  const values = encode(featureValues(shape));
  // Reused from call to call: typed arrays are garbage-collected late, and a long stream would pile them up.
  let rowPtr = new Int32Array(0);
  let colIdx = new Int32Array(0);
  let features = values.slice(0, 0) as T;
  let labels = new Int32Array(0);
  return (begin, end) => {
    const numRows = end - begin;
    if (labels.length < numRows) {
      rowPtr = new Int32Array(numRows + 1);
      colIdx = new Int32Array(Math.ceil(1.1 * meanDegree(shape) * numRows));
      features = new (values.constructor as new (length: number) => T)(numRows * shape.numFeatures);
      labels = new Int32Array(numRows);
    }
    for (let r = 0; r < numRows; r++) {
      const i = begin + r;
      const degree = rowDegree(shape, key, i);
      if (rowPtr[r] + degree > colIdx.length) colIdx = grown(colIdx, rowPtr[r] + degree);
      rowPtr[r + 1] = drawEdges(i, degree, colIdx, rowPtr[r]);
      labels[r] = i % shape.numClasses;
    }
    const filled = features.subarray(0, numRows * shape.numFeatures) as T;
    fillFeatures(shape, key, { centres, values }, begin, filled);
    return {
      begin,
      end,
      rowPtr: rowPtr.subarray(0, numRows + 1),
      colIdx: colIdx.subarray(0, rowPtr[numRows]),
      features: filled,
      labels: labels.subarray(0, numRows),
    };
  };
}

/** Edges per row before any are mirrored or merged. */
function meanDegree({ numEntries, numNodes, directed }: Shape): number {
  return numEntries / numNodes / (directed ? 1 : 2);
}

/** Edges drawn for row i: `mean / (2 √u)`, a power law with the wanted mean, rounded up or down at random, at least 1. */
function rowDegree(shape: Shape, key: Key, i: number): number {
  philox(words, key, i, 0, DEGREES);
  const heaviness = Math.min(HEAVIEST_ROW, 0.5 / Math.sqrt((words[0] + 0.5) / 2 ** 32));
  const degree = Math.floor(meanDegree(shape) * heaviness + words[1] / 2 ** 32);
  return Math.max(1, Math.min(degree, shape.numNodes >>> 2));
}

/**
 * A function that draws `degree` targets of row i into `colIdx` from position `begin`, ascending and distinct, and
 * returns where they end. A target is drawn as a class and a rank within it. Cubing the uniform u makes low ranks
 * frequent (in-degree falls with rank^(−2/3)). Multiplying ranks by a stride spreads them over the class, so that hubs
 * are not neighbours in memory.
 */
function edgeDrawer({ numNodes, numClasses, homophily }: Shape, key: Key) {
  const classSize = Math.floor(numNodes / numClasses);
  const stride = coprimeNear(classSize, 0.618);
  return (i: number, degree: number, colIdx: Int32Array, begin: number): number => {
    let end = begin;
    for (let k = 0; k < degree; k++) {
      if (k % 2 === 0) philox(words, key, i, k >>> 1, EDGES);
      const u = words[2 * (k % 2)] / 2 ** 32;
      const v = words[2 * (k % 2) + 1] / 2 ** 32;
      const own = i % numClasses;
      const target = v < homophily ? own : otherClass(own, (v - homophily) / (1 - homophily), numClasses);
      const rank = Math.floor(classSize * u * u * u);
      const j = target + numClasses * ((rank * stride) % classSize);
      if (j !== i) colIdx[end++] = j;
    }
    return sortDistinct(colIdx, begin, end);
  };
}

/** One of the classes other than `own`, chosen by `u` in [0, 1). */
function otherClass(own: number, u: number, numClasses: number): number {
  const other = Math.floor(u * (numClasses - 1));
  return other < own ? other : (other + 1) % numClasses;
}

/** The tables from which features are filled. */
interface FeatureTables {
  /** For each class and feature, where the values around the class's centre begin in `values`. */
  readonly centres: Int32Array;
  readonly values: FeatureNumbers;
}

/** Feature f of node i: centre of the class plus triangular noise, two values from each random word. */
function fillFeatures(
  { numFeatures, numClasses }: Shape,
  key: Key,
  { centres, values }: FeatureTables,
  begin: number,
  features: FeatureNumbers,
): void {
  for (let at = 0, i = begin; at < features.length; at += numFeatures, i++) {
    const centre = (i % numClasses) * numFeatures;
    for (let f = 0; f < numFeatures; f += 8) {
      philox(words, key, i, f >>> 3, NOISE);
      const end = Math.min(8, numFeatures - f);
      for (let k = 0; k < end; k++) {
        const bits = words[k >>> 1] >>> (16 * (k & 1));
        features[at + f + k] = values[centres[centre + f + k] + (bits & 0xff) + ((bits >>> 8) & 0xff)];
      }
    }
  }
}

/** Two bytes, each uniform over 0 … 255, have a sum of variance (256² − 1) / 6. */
const NOISE_SCALE = Math.sqrt(6 / (256 ** 2 - 1));
const NOISES = 511; // different sums of two bytes

/** All values that features can have: those around the negative centre, then those around the positive one. */
function featureValues({ numFeatures }: Shape): Float32Array {
  const signal = Math.fround(CLASS_SIGNAL / Math.sqrt(numFeatures));
  return Float32Array.from({ length: 2 * NOISES }, (_, k) => {
    return (k < NOISES ? -signal : signal) + ((k % NOISES) - 255) * NOISE_SCALE;
  });
}

function classCentres({ numClasses, numFeatures }: Shape, key: Key): Int32Array {
  const centres = new Int32Array(numClasses * numFeatures);
  for (let at = 0; at < centres.length; at++) {
    philox(words, key, at, 0, CENTRES);
    centres[at] = words[0] & 1 ? NOISES : 0;
  }
  return centres;
}

/** A number near `share · size` that is coprime to `size`: multiplying by it permutes the residues. */
function coprimeNear(size: number, share: number): number {
  let candidate = Math.max(1, Math.floor(size * share));
  while (greatestCommonDivisor(candidate, size) !== 1) candidate++;
  return candidate;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function grown(list: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.ceil(1.25 * size));
  larger.set(list);
  return larger;
}

const words = new Uint32Array(4); // scratch of the calls to philox
