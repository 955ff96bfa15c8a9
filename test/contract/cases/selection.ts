import type { Contract, Results } from "../contract.ts";

export function selectionCases(contract: Contract): void {
  topKCases(contract);
  adamCases(contract);
  projectionCases(contract);
}

function topKCases(contract: Contract): void {
  contract.kernel("topK", ({ same }) => {
    same("orders the largest values from one to all", (side) => {
      const results: Results = {};
      for (const [length, k] of [
        [0, 0],
        [1, 1],
        [67, 0],
        [67, 1],
        [67, 67],
        [1001, 64],
        [50_000, 1003],
      ] as const) {
        side.backend.topK((results[`${k} of ${length}`] = side.out(k, "i32")), side.normal(length));
      }
      return results;
    });
    same("puts the lower index first on ties", (side) => {
      const results: Results = {};
      for (const k of [1, 100, 777, 2000]) {
        const X = side.floats(Array.from({ length: 2000 }, () => side.rng.integer(5) - 2));
        side.backend.topK((results[`top ${k}`] = side.out(k, "i32")), X);
      }
      side.backend.topK((results["equal"] = side.out(33, "i32")), side.floats(new Float32Array(67).fill(1e-7)));
      return results;
    });
    same("treats zero and minus zero as equal", (side) => {
      const out = side.out(4, "i32");
      side.backend.topK(out, side.floats([-0, 0, -1, 0, -0, 1]));
      return { out };
    });
    same("orders infinite, huge and tiny values", (side) => {
      const out = side.out(7, "i32");
      const low = Number.NEGATIVE_INFINITY;
      const high = Number.POSITIVE_INFINITY;
      side.backend.topK(out, side.floats([1e-30, low, -1e-30, 3e38, high, -3e38, 0]));
      return { out };
    });
  });
}

function adamCases(contract: Contract): void {
  contract.kernel("adam", ({ same }) => {
    for (const weightDecay of [0, 1e-3]) {
      same(`makes the steps of the reference with decay ${weightDecay}`, (side) => {
        const results: Results = {};
        const options = { learningRate: 0.01, weightDecay, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
        for (const length of [0, 1, 67, 1001]) {
          const parameter = side.normal(length);
          const m = side.floats(new Float32Array(length));
          const v = side.floats(new Float32Array(length));
          for (let step = 1; step <= 5; step++) {
            side.backend.adam(parameter, side.normal(length), m, v, { ...options, step });
          }
          Object.assign(results, { [`parameter ${length}`]: parameter, [`m ${length}`]: m, [`v ${length}`]: v });
        }
        return results;
      });
    }
  });
}

function projectionCases(contract: Contract): void {
  contract.kernel("projectOntoBudget", ({ same }) => {
    for (const budget of [0, 1, 7.5, 50, 1e6]) {
      same(
        `reaches a budget of ${budget} from any weights`,
        (side) => {
          const results: Results = {};
          for (const length of [1, 3, 67, 1001]) {
            const out = side.out(2);
            const x = side.uniform(length, -1, 2);
            side.backend.projectOntoBudget(out, x, budget, 1e-7);
            Object.assign(results, { [`x ${length}`]: x });
            if (budget > 0) results[`out ${length}`] = out;
          }
          return results;
        },
        { scale: 1 },
      );
    }
    same(
      "reaches it from a block of which few are above the floor",
      (side) => {
        const results: Results = {};
        for (const length of [100_003, 1_100_003]) {
          const weights = new Float32Array(length).fill(1e-7);
          for (let e = 0; e < length; e += 50) weights[e] = side.rng.uniform() * 3;
          const out = side.out(2);
          const x = side.floats(weights);
          side.backend.projectOntoBudget(out, x, length / 200, 1e-7);
          Object.assign(results, { [`x ${length}`]: x, [`out ${length}`]: out });
        }
        return results;
      },
      { scale: 1 },
    );
    same(
      "takes a step along a gradient first",
      (side) => {
        const results: Results = {};
        for (const length of [3, 1001, 70_001]) {
          const out = side.out(2);
          const x = side.uniform(length, 0, 0.5);
          const gradient = side.normal(length);
          side.backend.projectOntoBudget(out, x, length / 50, 1e-7, { rate: 0.75, gradient });
          Object.assign(results, { [`x ${length}`]: x, [`out ${length}`]: out });
        }
        return results;
      },
      { scale: 1 },
    );
    same("leaves weights within the budget, but for the bounds", (side) => {
      const out = side.out(2);
      const x = side.floats([0.25, -3, 0, 1, 0.5]);
      side.backend.projectOntoBudget(out, x, 2, 0.125);
      return { out, x };
    });
    same("handles equal weights and no weights", (side) => {
      const out = side.out(2);
      const x = side.floats(new Float32Array(130).fill(0.75));
      const none = side.out(2);
      side.backend.projectOntoBudget(out, x, 13, 1e-7);
      side.backend.projectOntoBudget(none, side.out(0), 13, 1e-7);
      return { out, x, none };
    });
  });
}
