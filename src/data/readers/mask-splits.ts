import { check, DataError } from "../../core/errors.ts";
import type { NpyArray } from "../formats/npy.ts";
import type { Split } from "../splits.ts";

/**
 * The splits of `train_mask`, `val_mask` and `test_mask`, as PyTorch Geometric keeps them: one boolean per node, or a
 * column of them for each split. A mask with a single column belongs to all splits.
 */
export function splitsOfMasks(
  masks: Readonly<Record<keyof Split, NpyArray>>,
  numNodes: number,
  where: string,
): Record<string, Split> {
  for (const [set, { shape, dtype }] of Object.entries(masks)) {
    check(
      dtype === "b1" && shape.length <= 2 && shape[0] === numNodes,
      () => `${where}: ${set}_mask must be ${numNodes} booleans, got ${dtype} (${shape.join(", ")})`,
      DataError,
    );
  }
  const { train, val, test } = masks;
  const widths = [train, val, test].map(({ shape }) => shape[1] ?? 1);
  const count = Math.max(...widths);
  check(
    widths.every((width) => width === 1 || width === count),
    () => `${where}: masks must have as many columns as each other, or one; got ${widths.join(", ")}`,
    DataError,
  );
  const nodes = Int32Array.from({ length: numNodes }, (_, node) => node);
  const marked = ({ data, shape }: NpyArray, column: number) => {
    const width = shape[1] ?? 1;
    return nodes.filter((node) => data[node * width + Math.min(column, width - 1)] === 1);
  };
  const names = count === 1 ? ["public"] : Array.from({ length: count }, (_, k) => `mask-${k}`);
  const split = (k: number) => ({ train: marked(train, k), val: marked(val, k), test: marked(test, k) });
  return Object.fromEntries(names.map((name, k) => [name, split(k)]));
}
