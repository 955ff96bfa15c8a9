import type { Buffer } from "../backend/backend.ts";
import { type BenchCase, gathered, type MakeCase } from "./bench-case.ts";
import { chosenCols, chosenRows, differs, onReference, spread } from "./sample.ts";
import type { Workload } from "./workload.ts";

/** Matrix products: a layer, the last layer of 40 classes, and the gradient to the weights. */
export const matmulCase: MakeCase = (work) => layer(work, "matmul", work.shape.cols);
export const matmulClassesCase: MakeCase = (work) => layer(work, "matmul, 40 columns", 40);

function layer({ shape, backend, on, inputs }: Workload, kernel: string, n: number): BenchCase {
  const { X, W } = inputs;
  const { numNodes: m, cols: k } = shape;
  return {
    kernel,
    need: { bound: "flops", amount: 2 * m * n * k },
    buffers: [],
    run: () => backend.matmul(on.Y, on.X, on.W, { m, n, k }),
    async check() {
      const rows = spread(30, m);
      const Y = (await backend.read(on.Y)) as Float32Array;
      const expected = await onReference(rows.length * n, (reference, out) => {
        const A = reference.upload(chosenRows(X, rows, k));
        reference.matmul(out, A, reference.upload(W.slice(0, k * n)), { m: rows.length, n, k });
      });
      return differs(chosenRows(Y, rows, n), expected);
    },
  };
}

export const weightGradientCase: MakeCase = ({ shape, backend, on, inputs }) => {
  const { numNodes: k, cols: n } = shape;
  const out = backend.alloc("f32", n * n);
  return {
    kernel: "matmul, Xᵀ·X",
    need: { bound: "flops", amount: 2 * n * n * k },
    buffers: [out],
    run: () => backend.matmul(out, on.X, on.X, { m: n, n, k, transA: true }),
    async check() {
      const cols = spread(5, n);
      const expected = await onReference(cols.length ** 2, (reference, result) => {
        const A = reference.upload(chosenCols(inputs.X, k, n, cols));
        reference.matmul(result, A, A, { m: cols.length, n: cols.length, k, transA: true });
      });
      const all = (await backend.read(out)) as Float32Array;
      return differs(chosenCols(chosenRows(all, cols, n), cols.length, n, cols), expected);
    },
  };
};

export const spmmCase: MakeCase = (work) => sparse(work, "spmm", work.on.values);
export const spmmOnesCase: MakeCase = (work) => sparse(work, "spmm without values", null);

function sparse(work: Workload, kernel: string, values: Buffer | null): BenchCase {
  const { shape, backend, on } = work;
  const { X, matrix } = work.inputs;
  const { numNodes, cols } = shape;
  const S = { numRows: numNodes, numCols: numNodes, rowPtr: on.rowPtr, colIdx: on.colIdx, values };
  return {
    kernel,
    need: gathered(work, matrix.colIdx.length),
    buffers: [],
    run: () => backend.spmm(on.Y, S, on.X, cols),
    async check() {
      const rows = spread(50, numNodes);
      const entries = rows.flatMap((i) => range(matrix.rowPtr[i], matrix.rowPtr[i + 1]));
      const rowPtr = [0];
      for (const i of rows) rowPtr.push(rowPtr.at(-1)! + matrix.rowPtr[i + 1] - matrix.rowPtr[i]);
      const expected = await onReference(rows.length * cols, (reference, out) => {
        const small = {
          numRows: rows.length,
          numCols: entries.length,
          rowPtr: reference.upload(Int32Array.from(rowPtr)),
          colIdx: reference.upload(Int32Array.from(entries.keys())),
          values: values && reference.upload(Float32Array.from(entries, (e) => work.inputs.values[e])),
        };
        const needed = entries.map((e) => matrix.colIdx[e]);
        reference.spmm(out, small, reference.upload(chosenRows(X, needed, cols)), cols);
      });
      const Y = (await backend.read(on.Y)) as Float32Array;
      return differs(chosenRows(Y, rows, cols), expected);
    },
  };
}

export const sddmmCase: MakeCase = (work) => sampled(work, "sddmm", false);
export const sddmmSymmetricCase: MakeCase = (work) => sampled(work, "sddmm, symmetric", true);

/** ⟨P_i, Q_j⟩, where P is Q shifted by one node, so that the two directions of a pair differ. */
function sampled(work: Workload, kernel: string, symmetric: boolean): BenchCase {
  const { shape, backend, on } = work;
  const { X, matrix, sources } = work.inputs;
  const { numNodes, cols } = shape;
  const { length } = sources;
  const P = backend.upload(shifted(X, cols));
  const out = backend.alloc("f32", length);
  const pairs = { numNodes, directed: true, length, sources: on.sources, targets: on.colIdx };
  return {
    kernel,
    need: gathered(work, symmetric ? 2 * length : length),
    buffers: [P, out],
    run: () => backend.sddmm({ out, pairs, P, Q: on.X, cols, symmetric }),
    async check() {
      const chosen = spread(500, length);
      const nodes = chosen.flatMap((e) => [sources[e], matrix.colIdx[e]]);
      const expected = await onReference(chosen.length, (reference, result) => {
        const ends = (first: number) => reference.upload(Int32Array.from(chosen, (_, t) => 2 * t + first));
        const small = {
          numNodes: nodes.length,
          directed: true,
          length: chosen.length,
          sources: ends(0),
          targets: ends(1),
        };
        const Q = reference.upload(chosenRows(X, nodes, cols));
        reference.sddmm({
          out: result,
          pairs: small,
          P: reference.upload(chosenRows(shifted(X, cols), nodes, cols)),
          Q,
          cols,
          symmetric,
        });
      });
      const all = await backend.read(out);
      return differs(
        Float32Array.from(chosen, (e) => all[e]),
        expected,
      );
    },
  };
}

function shifted(X: Float32Array, by: number): Float32Array {
  const out = new Float32Array(X.length);
  out.set(X.subarray(by));
  out.set(X.subarray(0, by), X.length - by);
  return out;
}

function range(begin: number, end: number): number[] {
  return Array.from({ length: end - begin }, (_, t) => begin + t);
}
