import type { Buffer, CsrBuffers } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const COLS = [1, 3, 8, 13, 40, 70];

/** Fewer for Soft Medoid, whose pairs of neighbours take a GPU in software seconds. */
const MEDOID_COLS = [1, 13, 70];

/** Matrices with weights above zero, awkward to split over threads or lanes. */
const MATRICES: Record<string, (side: Side) => CsrBuffers> = {
  "rows of any length": (side) =>
    weighted(
      side,
      67,
      Array.from({ length: 67 }, (_, i) => (i * 5) % 13),
    ),
  "empty rows at both ends": (side) => weighted(side, 9, [0, 0, 3, 0, 9, 1, 0]),
  "rows of 64 neighbours": (side) => weighted(side, 150, new Array(40).fill(64)),
  "one very long row": (side) => weighted(side, 300, [2, 300, 0, 1]),
  "columns of hundreds of entries": (side) => weighted(side, 2, new Array(520).fill(2)),
  "entries that all weigh 1": (side) => side.csr(30, [5, 6, 7, 8, 30, 1, 2], false),
  "no entries": (side) => weighted(side, 5, [0, 0, 0]),
  "no rows": (side) => weighted(side, 5, []),
};

/** For points of which many are equal. */
const TIED: Record<string, (side: Side) => CsrBuffers> = {
  "equal points in rows of up to 150 neighbours": (side) => weighted(side, 160, [3, 64, 0, 65, 1, 20, 150]),
  "equal points, some of which weigh nothing": (side) => {
    const S = side.csr(90, [33, 64, 2, 90], false);
    return { ...S, values: side.floats(Array.from({ length: S.colIdx.length }, () => side.rng.integer(3) / 2)) };
  },
  "equal points with hundreds of entries": (side) => weighted(side, 3, new Array(270).fill(3)),
  "neighbours that are there twice": (side) => {
    const columns = [0, 0, 1, 2, 2, 2, 3, 1, 1, 1, 1, 4, 4, 0, 1, 2, 3, 4];
    const rowPtr = side.ints([0, 7, 13, 18]);
    const colIdx = side.ints(columns);
    return { numRows: 3, numCols: 5, rowPtr, colIdx, values: side.uniform(columns.length, 0.05, 1) };
  },
};

/** Soft Median and its gradients, step by step. */
function wayThrough(side: Side, S: CsrBuffers, X: Buffer, cols: number, T = 0.7) {
  const { softMedianSteps: steps } = side.backend;
  const { out: Y, median, at } = outputs(side, S, cols);
  const values = side.out(S.colIdx.length);
  const alone = side.out(S.colIdx.length);
  const medianGrad = side.out(Y.length);
  const dY = side.normal(Y.length);
  const dX = side.out(S.numCols * cols);
  const { transposed, order } = transpose(side, S);
  const sizes = steps.sizes(S.numRows, S.colIdx.length);
  const toX = { terms: side.out(sizes.terms), medianGrad };
  const output = { Y, median, at, kept: side.out(sizes.kept) };
  const input = { S, X, cols, temperature: T };
  steps.forward(output, input);
  steps.rowGrads(values, toX, dY, input, output);
  steps.rowGrads(alone, null, dY, input, output);
  const pattern = { ...transposed, values: null };
  steps.featureGrads({ dX, transposed: { pattern, order, matrix: transposed }, toX, dY, of: input, from: output });
  return { out: Y, median, at, values, alone, medianGrad, dX };
}

function transpose(side: Side, S: CsrBuffers): { transposed: CsrBuffers; order: Buffer } {
  const { backend } = side;
  const ints = (length: number) => side.out(length, "i32");
  const rowPtr = ints(S.numCols + 1);
  const order = ints(S.colIdx.length);
  const colIdx = ints(S.colIdx.length);
  backend.groupIndices(rowPtr, order, S.colIdx);
  backend.gatherRows(colIdx, side.rowOfEach(S), order, 1);
  const values = S.values && side.out(S.colIdx.length);
  if (values) backend.gatherRows(values, S.values!, order, 1);
  return { transposed: { numRows: S.numCols, numCols: S.numRows, rowPtr, colIdx, values }, order };
}

function weighted(side: Side, numCols: number, lengths: number[]): CsrBuffers {
  const S = side.csr(numCols, lengths, false);
  return { ...S, values: side.uniform(S.colIdx.length, 0.05, 1) };
}

function outputs(side: Side, S: CsrBuffers, cols: number) {
  const size = S.numRows * cols;
  const entries = S.colIdx.length;
  return { out: side.out(size), median: side.out(size), shares: side.out(entries), at: side.out(size, "i32") };
}

/** The numbers below `length` in random order. */
function shuffled(side: Side, length: number) {
  return side.ints(side.rng.shuffle(Int32Array.from({ length }, (_, i) => i)));
}

export function robustCases(contract: Contract): void {
  contract.kernel("weightedMedian", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      same(`has the values and columns of the reference on a matrix with ${name}`, (side) => {
        const results: Results = {};
        for (const cols of COLS) {
          const S = make(side);
          const { median, at } = outputs(side, S, cols);
          side.backend.weightedMedian(median, at, S, side.normal(S.numCols * cols), cols);
          Object.assign(results, { [`median ${cols}`]: median, [`at ${cols}`]: at });
        }
        return results;
      });
    }
    same("takes the smaller of two halves that weigh the same, and the lowest column among equal points", (side) => {
      const rowPtr = side.ints([0, 4, 8]);
      const colIdx = side.ints([0, 1, 2, 3, 0, 1, 2, 3]);
      const values = side.floats([0.1, 0.1, 0.1, 0.1, 0.3, 0.7, 0.7, 0.3]);
      const median = side.out(4);
      const at = side.out(4, "i32");
      const S = { numRows: 2, numCols: 4, rowPtr, colIdx, values };
      side.backend.weightedMedian(median, at, S, side.floats([4, 5, 3, 2, 2, 2, 1, 2]), 2);
      return { median, at };
    });
    same("finds the median among many equal points, few of which weigh anything", (side) => {
      const results: Results = {};
      for (const count of [5, 64, 100, 200, 256, 257]) {
        const S = side.csr(300, [count, count, count], false);
        const X = side.floats(Array.from({ length: 300 * 13 }, () => side.rng.integer(6) / 8));
        const values = side.floats(Array.from({ length: 3 * count }, () => side.rng.integer(4) ** 3));
        const median = side.out(3 * 13);
        const at = side.out(3 * 13, "i32");
        side.backend.weightedMedian(median, at, { ...S, values }, X, 13);
        Object.assign(results, { [`median ${count}`]: median, [`at ${count}`]: at });
      }
      return results;
    });
    same("is the neighbour with more than half of the weight, whoever else there is", (side) => {
      const S = side.csr(90, [64, 64, 64], false);
      const values = side.floats(
        Array.from({ length: 3 * 64 }, (_, e) => (e % 64 === 20 + Math.floor(e / 64) ? 64 : 1)),
      );
      const median = side.out(3 * 9);
      const at = side.out(3 * 9, "i32");
      side.backend.weightedMedian(median, at, { ...S, values }, side.normal(90 * 9), 9);
      return { median, at };
    });
    same("passes over weights of 0 and finds medians among outliers of any size", (side) => {
      const n = 33;
      const S = { ...side.csr(n, [n, n, n], false), values: null };
      const values = side.floats(Array.from({ length: 3 * n }, (_, e) => (e % 3 === 0 ? 0 : 1)));
      const X = side.floats(Array.from({ length: n * 3 }, (_, e) => (-1) ** e * 10 ** (((e * 7) % 60) - 30)));
      const median = side.out(9);
      const at = side.out(9, "i32");
      side.backend.weightedMedian(median, at, { ...S, values }, X, 3);
      return { median, at };
    });
  });
  contract.kernel("softMedian", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      same(`has the values and gradients of the reference on a matrix with ${name}`, (side) => {
        const results: Results = {};
        for (const cols of COLS) {
          const S = make(side);
          const X = side.normal(S.numCols * cols);
          const { out, median, shares, at } = outputs(side, S, cols);
          const saved = { median, at, shares };
          side.backend.softMedian({ out, saved, S, X, cols, temperature: 0.7 });
          const toX = { terms: side.out(2 * shares.length), medianGrad: side.out(out.length) };
          const values = side.out(shares.length);
          const alone = side.out(shares.length);
          const dY = side.normal(S.numRows * cols);
          side.backend.softMedianGrad({ values, toX, dY, S, X, saved, cols, temperature: 0.7 });
          side.backend.softMedianGrad({ values: alone, toX: null, dY, S, X, saved, cols, temperature: 0.7 });
          const all = { out, ...saved, values, alone, ...toX };
          for (const [key, buffer] of Object.entries(all)) results[`${key} ${cols}`] = buffer;
        }
        return results;
      });
    }
    for (const [name, make] of Object.entries({ ...MATRICES, ...TIED })) {
      const run = (side: Side) => {
        const results: Results = {};
        for (const cols of [1, 8, 13, 64, 132]) {
          const S = make(side);
          const X =
            name in TIED
              ? side.floats(Array.from({ length: S.numCols * cols }, () => side.rng.integer(40) / 8)) // many are equal
              : side.normal(S.numCols * cols);
          for (const [key, buffer] of Object.entries(wayThrough(side, S, X, cols))) results[`${key} ${cols}`] = buffer;
        }
        return results;
      };
      // Gradients start from dot products of about 10, whose rounding, 1e-6, they keep however small they are themselves.
      same(`has all gradients of the reference, whatever is kept, on a matrix with ${name}`, run, { scale: 0.02 });
    }
    same("is spared by neighbours without weight that lie closest, however cold it is", (side) => {
      const rowPtr = side.ints([0, 4]);
      const colIdx = side.ints([0, 1, 2, 3]);
      const S = { numRows: 1, numCols: 4, rowPtr, colIdx, values: side.floats([1, 1, 1, 0]) };
      const X = side.floats([3, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0]);
      return wayThrough(side, S, X, 3, 0.01); // e^173 is more than a float holds
    });
    same("finds medians among many equal points, few of which weigh anything, and outliers of any size", (side) => {
      const results: Results = {};
      for (const count of [1, 5, 64, 65, 200]) {
        const cols = 13;
        const n = 210;
        const S = side.csr(n, [count, count, count], false);
        const values = side.floats(Array.from({ length: 3 * count }, () => side.rng.integer(4) ** 3));
        const equal = Array.from({ length: n * cols }, () => side.rng.integer(6) / 8);
        const outliers = Array.from({ length: n * cols }, (_, e) => (-1) ** e * 10 ** (((e * 7) % 60) - 30));
        for (const [name, X] of Object.entries({ equal, outliers })) {
          const { out, median, shares, at } = outputs(side, { ...S, values }, cols);
          side.backend.softMedian({
            out,
            saved: { median, at, shares },
            S: { ...S, values },
            X: side.floats(X),
            cols,
            temperature: 1,
          });
          Object.assign(results, { [`median ${name} ${count}`]: median, [`at ${name} ${count}`]: at });
        }
      }
      return results;
    });
    same("is zero where nothing weighs anything, and survives distances that underflow", (side) => {
      const rowPtr = side.ints([0, 2, 4]);
      const colIdx = side.ints([0, 1, 1, 2]);
      const S = { numRows: 2, numCols: 3, rowPtr, colIdx, values: side.floats([0, 0, 0.5, 0.25]) };
      const out = side.out(2);
      const saved = { median: side.out(2), at: side.out(2, "i32"), shares: side.out(4) };
      side.backend.softMedian({ out, saved, S, X: side.floats([3, 7, 1e6]), cols: 1, temperature: 0.01 });
      return { out, ...saved };
    });
  });
  contract.kernel("pullRows", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      same(
        `adds up both terms of the entries of a matrix with ${name}`,
        (side) => {
          const results: Results = {};
          for (const cols of COLS) {
            const S = make(side);
            const terms = side.normal(2 * S.colIdx.length);
            const order = shuffled(side, S.colIdx.length);
            const G = side.normal(S.numCols * cols);
            const M = side.normal(S.numCols * cols);
            const X = side.normal(S.numRows * cols);
            const out = side.out(S.numRows * cols);
            const sum = side.normal(S.numRows * cols);
            side.backend.pullRows(out, S, { terms, order, G, M, X }, cols);
            side.backend.pullRows(sum, S, { terms, order, G, M, X }, cols, true);
            Object.assign(results, { [`out ${cols}`]: out, [`sum ${cols}`]: sum });
          }
          return results;
        },
        { scale: name === "one very long row" ? 30 : 0 },
      );
    }
    same(
      "finds rows wherever they lie in matrices that no cache holds, in any order",
      (side) => {
        const cols = 40;
        const numCols = 30_000;
        const lengths = [1300, 0, 20, 700, 3];
        const sorted = side.csr(numCols, lengths, false);
        const colIdx = side.indices(sorted.colIdx.length, numCols);
        const terms = side.normal(2 * colIdx.length);
        const order = shuffled(side, colIdx.length);
        const G = side.normal(numCols * cols);
        const M = side.normal(numCols * cols);
        const from = { terms, order, G, M, X: side.normal(lengths.length * cols) };
        const dX = side.out(lengths.length * cols);
        const unsorted = side.normal(lengths.length * cols);
        side.backend.pullRows(dX, sorted, from, cols);
        side.backend.pullRows(unsorted, { ...sorted, colIdx }, from, cols, true);
        return { dX, unsorted };
      },
      { scale: 60 },
    );
    same("adds what is said of the holders of medians, once where an entry is there twice", (side) => {
      const results: Results = {};
      for (const [rows, cols] of [
        [1, 1],
        [9, 3],
        [300, 40],
        [5, 130],
      ] as const) {
        const n = 7;
        const X = side.floats(Array.from({ length: n * cols }, () => side.rng.integer(3)));
        // every row has every column, and column 2 twice
        const holders = Array.from({ length: rows }, () => [0, 1, 2, 2, 3, 4, 5, 6]).flat();
        const ends = (count: number, step: number) => side.ints(Array.from({ length: count + 1 }, (_, i) => i * step));
        const S = { numRows: rows, numCols: n, rowPtr: ends(rows, n + 1), colIdx: side.ints(holders), values: null };
        const M = side.out(rows * cols);
        const at = side.out(rows * cols, "i32");
        side.backend.weightedMedian(M, at, S, X, cols);
        const counts = Array.from({ length: n }, (_, j) => (j === 2 ? 2 : 1) * rows);
        const turned = {
          numRows: n,
          numCols: rows,
          values: null,
          rowPtr: side.ints([0, 1, 2, 4, 5, 6, 7, 8].map((entries) => entries * rows)),
          colIdx: side.ints(
            counts.flatMap((count) => Array.from({ length: count }, (_, e) => Math.floor((e * rows) / count))),
          ),
        };
        const terms = side.normal(2 * rows * (n + 1));
        const order = shuffled(side, rows * (n + 1));
        const G = side.normal(rows * cols);
        const grad = side.normal(rows * cols);
        const dX = side.out(n * cols);
        side.backend.pullRows(dX, turned, { terms, order, G, M, X, held: { grad, at } }, cols);
        results[`dX ${rows}x${cols}`] = dX;
      }
      return results;
    });
  });
  contract.kernel("softMedoid", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      same(
        `has the values and the gradient of the reference on a matrix with ${name}`,
        (side) => {
          const results: Results = {};
          for (const cols of MEDOID_COLS) {
            for (const weightCorrection of [true, false]) {
              const S = make(side);
              const X = side.normal(S.numCols * cols);
              const { out, shares } = outputs(side, S, cols);
              const temperature = 20 * Math.max(1, Math.sqrt(cols / 40)); // δ grows with √cols, and the rounding of δ / T
              const options = { temperature, scale: side.uniform(S.numRows, 0.5, 2), weightCorrection };
              side.backend.softMedoid({ out, shares, S, X, cols, options });
              const q = side.uniform(shares.length, 0, 0.1); // not the shares just computed, whose rounding would grow
              const dX = side.normal(S.numCols * cols);
              side.backend.softMedoidGrad({ dX, dY: side.normal(S.numRows * cols), shares: q, S, X, cols, options });
              const title = `${cols} ${weightCorrection}`;
              Object.assign(results, { [`out ${title}`]: out, [`shares ${title}`]: shares, [`dX ${title}`]: dX });
            }
          }
          return results;
        },
        { scale: name === "one very long row" ? 30 : 0.1 },
      );
    }
  });
}
