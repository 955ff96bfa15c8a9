import type { Backend, Buffer } from "../backend/backend.ts";
import type { BenchCase, MakeCase } from "./bench-case.ts";
import { differs, onReference } from "./sample.ts";
import type { Workload } from "./workload.ts";

/** Elements compared with the reference: the first ones, because dropout numbers its random words from there. */
const CHECKED = 100_000;

export const addCase: MakeCase = (work) =>
  elementwise(work, "add", 12, (backend, out, X) => backend.binary("add", out, X, X));

export const reluCase: MakeCase = (work) =>
  elementwise(work, "relu", 8, (backend, out, X) => backend.unary("relu", out, X));

export const tanhCase: MakeCase = (work) =>
  elementwise(work, "tanh", 8, (backend, out, X) => backend.unary("tanh", out, X));

export const dropoutCase: MakeCase = (work) =>
  elementwise(work, "dropout", 8, (backend, out, X) => backend.dropout(out, X, 0.5, { lo: 1, hi: 2 }));

export const logSoftmaxCase: MakeCase = (work) =>
  elementwise(work, "logSoftmaxRows", 8, (backend, out, X, rows, cols) => backend.logSoftmaxRows(out, X, rows, cols));

type Kernel = (backend: Backend, out: Buffer, X: Buffer, rows: number, cols: number) => void;

/** A case of an elementwise kernel; `bytes` per element are read and written. */
function elementwise({ shape, backend, on, inputs }: Workload, kernel: string, bytes: number, run: Kernel): BenchCase {
  const { X } = inputs;
  const { numNodes, cols } = shape;
  return {
    kernel,
    need: { bound: "stream", amount: bytes * X.length },
    buffers: [],
    run: () => run(backend, on.Y, on.X, numNodes, cols),
    async check() {
      const rows = Math.min(numNodes, Math.ceil(CHECKED / cols));
      const front = X.slice(0, rows * cols);
      const expected = await onReference(front.length, (reference, out) => {
        run(reference, out, reference.upload(front), rows, cols);
      });
      return differs(await backend.read(on.Y), expected);
    },
  };
}
