import type { Key } from "../../../core/philox.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { HISTOGRAM } from "../selection/selection.ts";
import { halves } from "./halves.ts";

/** Draws from the whole range until `count` numbers are distinct, and hands the address of their sorted list to `use`. */
export function drawDistinct(
  engine: Engine,
  count: number,
  range: bigint,
  key: Key,
  use: (ranks: number) => void,
): void {
  const bits = range.toString(2).length;
  engine.borrow("i32", 2 * count, (_, first) => {
    engine.borrow("i32", 2 * count, (_, second) => {
      engine.borrow("i32", 2 * count + HISTOGRAM, (_, drawn) => {
        let list = first;
        let spare = second;
        let found = 0;
        let numDrawn = 0;
        while (found < count) {
          const missing = count - found;
          engine.run("drawRanks", missing, GRAIN, drawn, numDrawn, 0, ...halves(range), key.lo, key.hi);
          numDrawn += missing;
          const isInSpare = engine.call("sortWide", drawn, spare, missing, bits, drawn + 8 * count);
          if (isInSpare) engine.run("copy", 2 * missing, GRAIN, drawn, spare);
          found = engine.call("mergeDistinct", spare, list, found, drawn, missing);
          const merged = spare;
          spare = list;
          list = merged;
        }
        use(list);
      });
    });
  });
}
