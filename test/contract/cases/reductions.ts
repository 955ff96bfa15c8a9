import type { Contract, Results } from "../contract.ts";

const LENGTHS = [0, 1, 3, 63, 64, 65, 4097, 100_003];

export function reductionCases(contract: Contract): void {
  contract.kernel("dot", ({ same }) => {
    same("adds up products, or values where B is absent", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        const A = side.uniform(length, -1, 2);
        const B = side.uniform(length, -1, 2);
        side.backend.dot((results[`dot ${length}`] = side.out(1)), A, B);
        side.backend.dot((results[`sum ${length}`] = side.out(1)), A, null);
        side.backend.dot((results[`square ${length}`] = side.out(1)), A, A);
      }
      return results;
    });
  });
  contract.kernel("max", ({ same }) => {
    same("finds the largest value, negative or at either end", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        side.backend.max((results[`max ${length}`] = side.out(1)), side.uniform(length, -9, -1));
      }
      const ascending = Array.from({ length: 1003 }, (_, e) => e - 2000);
      side.backend.max((results["last"] = side.out(1)), side.floats(ascending));
      side.backend.max((results["first"] = side.out(1)), side.floats(ascending.toReversed()));
      return results;
    });
  });
  contract.kernel("countEqual", ({ same }) => {
    same("counts equal elements", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        const out = (results[`count ${length}`] = side.out(1));
        side.backend.countEqual(out, side.indices(length, 3), side.indices(length, 3));
      }
      return results;
    });
  });
}
