import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const BLOCKS: [numNodes: number, directed: boolean, length: number][] = [
  [2, false, 1],
  [2, true, 2],
  [9, false, 0],
  [67, false, 301],
  [67, true, 303],
];

export function pairCases(contract: Contract): void {
  contract.kernel("sddmm", ({ same }) => {
    for (const symmetric of [false, true]) {
      for (const accumulate of [false, true]) {
        const title = `${symmetric ? "both inner products" : "one inner product"} per pair`;
        const multiply = (side: Side) => {
          const results: Results = {};
          for (const [numNodes, directed, length] of BLOCKS) {
            for (const cols of [0, 1, 3, 4, 16, 33, 130]) {
              const pairs = side.pairs(numNodes, directed, length);
              const P = side.normal(numNodes * cols);
              const Q = side.normal(numNodes * cols);
              const out = accumulate ? side.normal(length) : side.out(length);
              side.backend.sddmm({ out, pairs, P, Q, cols, symmetric, accumulate });
              results[`${numNodes} ${directed} ${length} ${cols}`] = out;
            }
          }
          return results;
        };
        // of a single pair the terms, which are of size 1, may cancel
        same(`${accumulate ? "adds" : "writes"} ${title}`, multiply, { scale: 1 });
      }
    }
    for (const [numNodes, length] of [
      [40, 780], // each row in many pairs
      [700, 12_000], // targets visited by blocks
    ] as const) {
      same(`sums both products of ${length} pairs among ${numNodes} nodes`, (side) => {
        const results: Results = {};
        for (const cols of [7, 64, 300]) {
          const pairs = side.block(numNodes, false, length);
          side.backend.samplePairs(pairs, "stratified", { lo: 3, hi: 4 });
          const P = side.normal(numNodes * cols);
          const Q = side.normal(numNodes * cols);
          const out = side.out(length);
          const sum = side.normal(length);
          side.backend.sddmm({ out, pairs, P, Q, cols, symmetric: true });
          side.backend.sddmm({ out: sum, pairs, P, Q, cols, symmetric: true, accumulate: true });
          Object.assign(results, { [`out ${cols}`]: out, [`sum ${cols}`]: sum });
        }
        return results;
      });
    }
    same("accepts one matrix as both factors and needs no options", (side) => {
      const out = side.out(20);
      const P = side.normal(9 * 5);
      side.backend.sddmm({ out, pairs: side.pairs(9, true, 20), P, Q: P, cols: 5 });
      return { out };
    });
  });
  contract.kernel("pairSums", ({ same }) => {
    for (const ends of ["source", "target", "both"] as const) {
      same(`takes the values of ${ends === "both" ? "both ends" : `the ${ends}`}`, (side) => {
        const results: Results = {};
        for (const [numNodes, directed, length] of BLOCKS) {
          const pairs = side.pairs(numNodes, directed, length);
          const x = side.normal(numNodes);
          const out = side.out(length);
          const sum = side.normal(length);
          const turned = side.normal(length);
          side.backend.pairSums({ out, pairs, x, ends });
          side.backend.pairSums({ out: sum, pairs, x, ends, accumulate: true });
          side.backend.pairSums({ out: turned, pairs, x, ends, accumulate: true, signs: side.normal(length) });
          Object.assign(results, { [`out ${numNodes} ${length}`]: out, [`sum ${numNodes} ${length}`]: sum });
          results[`turned ${numNodes} ${length}`] = turned;
        }
        return results;
      });
    }
  });
  contract.kernel("pairTerms", ({ same }) => {
    for (const [numNodes, length] of [
      [67, 301],
      [40, 780], // each row in many pairs
      [700, 12_000], // targets visited by blocks
    ] as const) {
      same(`sums products and ends of ${length} pairs among ${numNodes} nodes, and turns the signs`, (side) => {
        const pairs = side.block(numNodes, false, length);
        side.backend.samplePairs(pairs, "stratified", { lo: 3, hi: 4 });
        const factor = (cols: number) => ({ P: side.normal(numNodes * cols), Q: side.normal(numNodes * cols), cols });
        const all = { products: [factor(16), factor(7)], sums: [{ x: side.normal(numNodes), ends: "both" as const }] };
        const out = side.out(length);
        const sum = side.normal(length);
        const alone = side.out(length);
        const signs = side.normal(length);
        side.backend.pairTerms(out, pairs, all, { signs });
        side.backend.pairTerms(sum, pairs, all, { signs, accumulate: true });
        side.backend.pairTerms(alone, pairs, { products: [], sums: all.sums });
        return { out, sum, alone };
      });
    }
    same("knows which end of a pair is meant where pairs have a direction", (side) => {
      const pairs = side.pairs(23, true, 60);
      const products = [{ P: side.normal(23 * 5), Q: side.normal(23 * 5), cols: 5 }];
      const x = side.normal(23);
      const sums = [
        { x, ends: "source" as const },
        { x, ends: "target" as const },
      ];
      const out = side.out(60);
      const source = side.out(60);
      side.backend.pairTerms(out, pairs, { products, sums }, { signs: side.normal(60) });
      side.backend.pairTerms(source, pairs, { products: [], sums: sums.slice(0, 1) });
      return { out, source };
    });
  });
  contract.kernel("pairSigns", ({ same }) => {
    same("is −1 on stored entries, +1 elsewhere", (side) => {
      const results: Results = {};
      for (const [numNodes, directed, length] of BLOCKS) {
        const S = side.csr(
          numNodes,
          Array.from({ length: numNodes }, (_, i) => (i * 11) % (numNodes + 1)),
          directed,
        );
        const out = (results[`${numNodes} ${directed}`] = side.out(length));
        side.backend.pairSigns(out, side.pairs(numNodes, directed, length), S);
      }
      return results;
    });
    same("turns what it finds if asked to, and leaves the rest as it was", (side) => {
      const out = side.normal(301);
      const degrees = Array.from({ length: 67 }, (_, i) => (i * 11) % 68);
      side.backend.pairSigns(out, side.pairs(67, false, 301), side.csr(67, degrees, false), true);
      return { out };
    });
    same("finds nothing in a graph without edges", (side) => {
      const out = side.out(30);
      side.backend.pairSigns(out, side.pairs(9, false, 30), side.csr(9, new Array<number>(9).fill(0), false));
      return { out };
    });
  });
  contract.kernel("addLargest", ({ same }) => {
    for (const [title, numNodes, directed, numMade, numFrom, count] of [
      ["merges the largest of many with what is there", 67, false, 200, 1500, 90],
      ["starts from nothing", 67, true, 0, 900, 31],
      ["takes all that are left", 9, false, 20, 36, 16],
      ["adds nothing if there is no room", 23, true, 40, 60, 0],
      ["takes many of many", 900, false, 5000, 50_000, 9000],
    ] as const) {
      same(title, (side) => {
        const made = side.pairs(numNodes, directed, numMade);
        const from = side.pairs(numNodes, directed, numFrom);
        const values = side.floats(Array.from({ length: numFrom }, () => Math.round(40 * side.rng.normal()) / 8)); // with ties
        const marks = side.indices(numMade, 5);
        const next = side.block(numNodes, directed, numMade + count);
        const nextMarks = side.out(numMade + count, "i32");
        side.backend.addLargest({ next, nextMarks, made, marks, from, values, mark: 7 });
        return { sources: next.sources, targets: next.targets, nextMarks };
      });
    }
  });
}
