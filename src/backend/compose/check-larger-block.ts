import { check, ShapeError } from "../../core/errors.ts";
import type { AddLargestArguments } from "../contract/pair-blocks.ts";

/** Checks that the blocks fit each other; returns how many pairs are to be added to `made`. */
export function checkLargerBlock({ next, made, from }: AddLargestArguments): number {
  const count = next.length - made.length;
  check(
    count >= 0 && count <= from.length,
    () =>
      `addLargest: next has room for ${next.length} pairs, with ${made.length} made and ${from.length} to choose from`,
    ShapeError,
  );
  const isSame = [made, from].every(
    ({ numNodes, directed }) => numNodes === next.numNodes && directed === next.directed,
  );
  check(isSame, () => "addLargest: the blocks are of different graphs", ShapeError);
  return count;
}
