import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { SELECT_STATE, select } from "./select.ts";
import { sortSize, sortU64 } from "./sort-u64.ts";

/** The largest of many values, and of every row. */
export function selection(gpu: Gpu): Pick<Backend, "topK" | "topKRows"> {
  return { topK: topK(gpu), topKRows: topKRows(gpu) };
}

function topK(gpu: Gpu): Backend["topK"] {
  return (out, X) => {
    const y = gpu.ints("topK", "out", out);
    const x = gpu.floats("topK", "X", X);
    const k = y.length;
    check(k <= x.length, () => `topK: ${k} of ${x.length} values asked for`, ShapeError);
    if (k === 0) return;
    const size = sortSize(k);
    gpu.borrow({ state: { i32: SELECT_STATE }, keys: { i32: 2 * size } }, ({ state, keys }) => {
      select(gpu, state, y, x, { length: x.length, floor: null, limit: k });
      const bind = { keys, positions: y, X: x };
      gpu.launch({ shader: "top-k-keys", entry: "make", bind, params: { count: k, size }, threads: size });
      sortU64(gpu, keys, size);
      gpu.launch({ shader: "top-k-keys", entry: "take", bind, params: { count: k, size }, threads: k });
    });
  };
}

function topKRows(gpu: Gpu): Backend["topKRows"] {
  return ({ columns, values, X, rows, cols, k }) => {
    const name = "topKRows";
    check(k <= cols, () => `topKRows: ${k} of ${cols} columns asked for`, ShapeError);
    const bind = {
      columns: gpu.ints(name, "columns", columns, rows * k),
      largest: gpu.floats(name, "values", values, rows * k),
      X: gpu.floats(name, "X", X, rows * cols),
    };
    if (k === 0) return;
    gpu.launch({ shader: "top-k-rows", bind, params: { rows, cols, k }, groups: rows });
  };
}
