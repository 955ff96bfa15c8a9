import type { AddLargestArguments, Backend, PairBuffers } from "../../backend.ts";
import { checkLargerBlock } from "../../compose/check-larger-block.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { topK as topKOf } from "../selection/top-k.ts";

/** Ascending pairs in the memory of the kernels. */
interface PairColumns {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  readonly length: number;
}

/** Finding and merging pairs takes little time next to choosing the largest, so the host does it without a kernel. */
export function addLargest(engine: Engine): Backend["addLargest"] {
  const { topK } = topKOf(engine);
  return (args) => {
    const name = "addLargest";
    const count = checkLargerBlock(args);
    engine.floats(name, "values", args.values, args.from.length);
    engine.ints(name, "marks", args.marks, args.made.length);
    engine.ints(name, "nextMarks", args.nextMarks, args.next.length);
    strikeOut(engine, args);
    engine.borrow("i32", count, (places) => {
      topK(places, engine.heap.view(args.values, 0, args.from.length));
      merge(engine, args, (engine.heap.values(places) as Int32Array).sort());
    });
  };
}

/** Merges the pairs of `made` and those at the ascending positions `chosen` of `from` into `next`, with their marks. */
function merge(engine: Engine, args: AddLargestArguments, chosen: Int32Array): void {
  const next = columnsOf(engine, args.next);
  const made = columnsOf(engine, args.made);
  const from = columnsOf(engine, args.from);
  const marks = engine.heap.values(args.marks as WasmBuffer);
  const nextMarks = engine.heap.values(args.nextMarks as WasmBuffer);
  let m = 0;
  let k = 0;
  for (let p = 0; p < next.length; p++) {
    const isMade = k === chosen.length || (m < made.length && comesBefore(made, m, from, chosen[k]));
    const pairs = isMade ? made : from;
    const e = isMade ? m : chosen[k];
    next.sources[p] = pairs.sources[e];
    next.targets[p] = pairs.targets[e];
    nextMarks[p] = isMade ? marks[m] : args.mark;
    if (isMade) m++;
    else k++;
  }
}

/** Sets the values of pairs of `from` that are also in `made` to −∞, so that they are not chosen. */
function strikeOut(engine: Engine, args: AddLargestArguments): void {
  const values = engine.heap.values(args.values as WasmBuffer);
  const made = columnsOf(engine, args.made);
  const from = columnsOf(engine, args.from);
  for (let m = 0; m < made.length; m++) {
    let low = 0;
    let high = from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comesBefore(from, middle, made, m)) low = middle + 1;
      else high = middle;
    }
    if (low < from.length && !comesBefore(made, m, from, low)) values[low] = Number.NEGATIVE_INFINITY;
  }
}

function comesBefore(a: PairColumns, k: number, b: PairColumns, l: number): boolean {
  return a.sources[k] < b.sources[l] || (a.sources[k] === b.sources[l] && a.targets[k] < b.targets[l]);
}

function columnsOf(engine: Engine, pairs: PairBuffers): PairColumns {
  engine.pairs("addLargest", pairs);
  const sources = engine.heap.values(pairs.sources as WasmBuffer) as Int32Array;
  const targets = engine.heap.values(pairs.targets as WasmBuffer) as Int32Array;
  return { sources, targets, length: pairs.length };
}
