import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import { collectPairs } from "../selection/collect-pairs.ts";

/** Active pairs are counted and scattered in up to MAX_PARTS parts, each of at least MIN_PART pairs. */
const MAX_PARTS = 4;
const MIN_PART = 4096;
/** Rows per chunk where rows must be sorted. */
const SORTED_ROWS = 1024;

export function activeMatrix(engine: Engine): Backend["activeMatrix"] {
  return (pairs, signs, weights, floor) => {
    const name = "activeMatrix";
    const { numNodes, directed, length } = pairs;
    const { sources, targets } = engine.pairs(name, pairs);
    const block = {
      sources,
      targets,
      weights: engine.floats(name, "weights", weights, length),
      signs: engine.floats(name, "signs", signs, length),
      length,
    };
    const active = collectPairs(engine, block, floor);
    const entries = active.count * (directed ? 1 : 2);
    const rowPtr = engine.heap.alloc("i32", numNodes + 1);
    const colIdx = engine.heap.alloc("i32", entries);
    const values = engine.heap.alloc("f32", entries);
    const parts = Math.min(Math.max(Math.floor(active.count / MIN_PART), 1), MAX_PARTS);
    engine.borrow("i32", 1 + parts * numNodes, (work, unsorted) => {
      const isUnsorted = engine.heap.values(work).subarray(0, 1);
      isUnsorted[0] = 0;
      const places = unsorted + 4;
      const listed = [places, numNodes, parts, active.list.address, active.count, Number(directed)];
      engine.run("countEntries", parts, 1, ...listed, unsorted);
      engine.call("startEntries", rowPtr.address, places, numNodes, parts);
      engine.run("scatterEntries", parts, 1, colIdx.address, values.address, ...listed);
      if (isUnsorted[0]) engine.run("sortRows", numNodes, SORTED_ROWS, rowPtr.address, colIdx.address, values.address);
    });
    engine.heap.free(active.list);
    return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values };
  };
}
