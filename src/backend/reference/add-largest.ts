import type { AddLargestArguments } from "../backend.ts";
import { checkLargerBlock } from "../compose/check-larger-block.ts";
import { pairArrays } from "./pairs.ts";
import { floats, ints } from "./storage.ts";
import { descending } from "./top-k.ts";

/** `next` receives the pairs of `made` and the largest pairs of `from` that are not in `made`, in ascending order. */
export function addLargest(args: AddLargestArguments): void {
  const { next, made, from, mark } = args;
  const count = checkLargerBlock(args);
  const marks = ints("addLargest", "marks", args.marks, made.length);
  const nextMarks = ints("addLargest", "nextMarks", args.nextMarks, next.length);
  const values = floats("addLargest", "values", args.values, from.length);
  const old = pairArrays("addLargest", made);
  const offered = pairArrays("addLargest", from);
  const to = pairArrays("addLargest", next);
  const all = Array.from({ length: made.length }, (_, m) => [old.sources[m], old.targets[m], marks[m]]);
  const names = new Set(all.map(([source, target]) => `${source},${target}`));
  const isNew = (e: number) => !names.has(`${offered.sources[e]},${offered.targets[e]}`);
  const chosen = descending(values.subarray(0, from.length)).filter(isNew).subarray(0, count);
  for (const e of chosen) all.push([offered.sources[e], offered.targets[e], mark]);
  all.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [p, [source, target, pairMark]] of all.entries()) {
    to.sources[p] = source;
    to.targets[p] = target;
    nextMarks[p] = pairMark;
  }
}
