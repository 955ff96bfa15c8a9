import { check, MemoryError } from "../../../core/errors.ts";
import { allocRowPtr, type Csr } from "../../../graph/csr.ts";
import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import { withUploads } from "../engine/uploads.ts";
import { type Workspaces, withWorkspaces } from "../engine/workspaces.ts";

/** Rows per launch, so that results leave the shared memory before there are many. */
const ROWS = 8192;
/** Rows per chunk: few, because some rows visit a thousand times as many nodes as others. */
const GRAIN_ROWS = 4;
/** Bytes of a workspace per node, and for one node more: a record of 16, result, list of visited nodes, stack. */
const NODE_BYTES = 28;
/** The bits of −0, the residual of a node that was not visited. */
const UNVISITED = 1 << 31;

/** PageRank rows on all threads, each with a workspace of its own in the shared memory. */
export function pushRows(engine: Engine): Pick<Backend, "pushRows"> {
  return {
    pushRows(A, nodes, options) {
      const { rowPtr, colIdx, numRows } = A;
      check(rowPtr instanceof Int32Array, () => "pushRows: too many entries for 32-bit row pointers", MemoryError);
      const k = Math.min(options.k, A.numCols);
      const alpha = Math.fround(options.alpha);
      const spread = Math.fround(1 - options.alpha);
      const unit = Math.fround(options.alpha * options.epsilon);
      const batches: Batch[] = [];
      withWorkspaces(engine, { bytes: NODE_BYTES * (numRows + 1) }, (workspaces) => {
        prepare(engine, rowPtr, unit, workspaces);
        withUploads(engine, { colIdx }, (addresses) => {
          const graph = [addresses.colIdx, numRows, alpha, spread, unit, workspaces.record];
          for (let begin = 0; begin < nodes.length; begin += ROWS) {
            batches.push(pushBatch(engine, nodes.subarray(begin, begin + ROWS), k, graph));
          }
        });
      });
      return compact(batches, nodes.length, A.numCols, k);
    },
  };
}

/** Writes the records of nodes into each workspace, with thresholds in float32 as in `graph/push/push.ts`. */
function prepare({ heap }: Engine, rowPtr: Int32Array, unit: number, workspaces: Workspaces): void {
  const words = new Int32Array(4 * rowPtr.length);
  const floats = new Float32Array(words.buffer);
  for (const [v, start] of rowPtr.entries()) {
    words[4 * v] = UNVISITED;
    floats[4 * v + 1] = unit * ((rowPtr[v + 1] ?? start) - start);
    words[4 * v + 2] = start;
  }
  const { count, first, stride } = workspaces;
  for (let slot = 0; slot < count; slot++) {
    new Int32Array(heap.memory.buffer, first + slot * stride, words.length).set(words);
  }
}

/** Results of some rows: the first `counts[t]` of every k places are used. */
interface Batch {
  readonly counts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

function pushBatch(engine: Engine, nodes: Int32Array, k: number, graph: readonly number[]): Batch {
  const rows = nodes.length;
  const { heap } = engine;
  return withUploads(engine, { nodes }, (addresses) =>
    engine.borrow("i32", rows, (counts, countsAt) =>
      engine.borrow("i32", rows * k, (columns, columnsAt) =>
        engine.borrow("f32", rows * k, (values, valuesAt) => {
          engine.run("pushRows", rows, GRAIN_ROWS, columnsAt, valuesAt, countsAt, k, addresses.nodes, ...graph);
          return {
            counts: heap.read(counts) as Int32Array,
            columns: heap.read(columns) as Int32Array,
            values: heap.read(values) as Float32Array,
          };
        }),
      ),
    ),
  );
}

function compact(batches: readonly Batch[], numRows: number, numCols: number, k: number): Csr {
  const size = batches.reduce((total, { counts }) => counts.reduce((sum, count) => sum + count, total), 0);
  const rowPtr = allocRowPtr(numRows, size);
  const colIdx = new Int32Array(size);
  const values = new Float32Array(size);
  let row = 0;
  for (const batch of batches) {
    for (const [t, count] of batch.counts.entries()) {
      colIdx.set(batch.columns.subarray(t * k, t * k + count), rowPtr[row]);
      values.set(batch.values.subarray(t * k, t * k + count), rowPtr[row]);
      rowPtr[row + 1] = rowPtr[row] + count;
      row++;
    }
  }
  return { numRows, numCols, rowPtr, colIdx, values };
}
