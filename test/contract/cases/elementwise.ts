import { expect } from "vitest";
import type { Binary, Unary } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const LENGTHS = [0, 1, 3, 64, 65, 1001];
const ANY: Unary[] = ["relu", "leakyRelu", "elu", "tanh", "exp", "square", "reciprocal"];
const NOT_NEGATIVE: Unary[] = ["log", "sqrt", "rsqrt"];
const BINARY: Binary[] = ["add", "sub", "mul", "div"];
const KEY = { lo: 0x9e3779b9, hi: 0xfffffff0 };

export function elementwiseCases(contract: Contract): void {
  contract.kernel("fill", ({ same }) => {
    same("sets every element, of floats and integers", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        side.backend.fill((results[`f32 ${length}`] = side.out(length)), 0.1);
        side.backend.fill((results[`i32 ${length}`] = side.out(length, "i32")), -3);
      }
      return results;
    });
  });
  contract.kernel("copy", ({ same }) => {
    same("copies as many elements as out has", (side) => {
      const out = side.out(65);
      const whole = side.out(9, "i32");
      side.backend.copy(out, side.normal(70));
      side.backend.copy(whole, side.indices(9, 100));
      return { out, whole };
    });
  });
  choiceCases(contract);
  for (const kind of [...ANY, ...NOT_NEGATIVE]) unaryCases(contract, kind);
  contract.kernel("unary", ({ same }) => {
    same("works in place", (side) => {
      const X = side.normal(67);
      side.backend.unary("elu", X, X);
      return { X };
    });
    same("does not overflow in tanh and elu", (side) => {
      const X = side.floats([-1000, -100, -20, 20, 100, 1000]);
      const tanh = side.out(6);
      const elu = side.out(6);
      side.backend.unary("tanh", tanh, X);
      side.backend.unary("elu", elu, X);
      return { tanh, elu };
    });
  });
  for (const kind of BINARY) {
    contract.kernel(`binary ${kind}`, ({ same }) => {
      same("combines two buffers, into a third or over either", (side) => {
        const results: Results = {};
        for (const length of LENGTHS) {
          const A = side.normal(length);
          const B = side.uniform(length, 0.5, 2);
          const out = side.out(length);
          side.backend.binary(kind, out, A, B);
          const overA = side.normal(length);
          const overB = side.uniform(length, 0.5, 2);
          side.backend.binary(kind, overA, overA, B);
          side.backend.binary(kind, overB, A, overB);
          Object.assign(results, { [`out ${length}`]: out, [`A ${length}`]: overA, [`B ${length}`]: overB });
        }
        return results;
      });
    });
  }
  affineCases(contract);
  dropoutCases(contract);
}

/** Choices that are made and followed without the host. */
function choiceCases(contract: Contract): void {
  contract.kernel("copyIf", ({ same }) => {
    for (const flag of [1, 0]) {
      same(`${flag ? "copies" : "leaves everything as it is"} where the flag is ${flag}`, (side) => {
        const floats = side.normal(65);
        const ints = side.indices(9, 100);
        const chosen = side.floats([flag]);
        const more = side.normal(4);
        const last = side.normal(3);
        const copies = [[floats, side.normal(70)] as const, [ints, side.indices(9, 100)] as const];
        side.backend.copyIf([...copies, [more, side.normal(4)], [last, side.normal(3)]], chosen);
        return { floats, ints, more, last };
      });
    }
  });
  contract.kernel("moveIf", ({ same }) => {
    for (const flag of [1, 0]) {
      same(`${flag ? "takes" : "leaves everything as it is"} where the flag is ${flag}`, (side) => {
        const floats = side.normal(65);
        const ints = side.indices(9, 100);
        const chosen = side.floats([flag]);
        const other = side.normal(65);
        side.backend.moveIf(
          [
            [floats, other],
            [ints, side.indices(9, 100)],
          ],
          chosen,
        );
        return { floats, ints };
      });
    }
  });
  contract.kernel("improve", ({ same }) => {
    same("takes a lower score and says so, but neither an equal nor a higher one", (side) => {
      const results: Results = {};
      const best = side.floats([Number.POSITIVE_INFINITY]);
      for (const [i, score] of [3, 3, 4, -1].entries()) {
        const chosen = side.out(1);
        const seen = side.out(1);
        side.backend.improve(chosen, best, side.floats([score]));
        side.backend.copy(seen, best);
        Object.assign(results, { [`chosen ${i}`]: chosen, [`best ${i}`]: seen });
      }
      return results;
    });
  });
}

function unaryCases(contract: Contract, kind: Unary): void {
  const input = (side: Side, length: number) =>
    NOT_NEGATIVE.includes(kind) ? side.uniform(length, 0.01, 4) : side.normal(length, 2);
  contract.kernel(`unary ${kind}`, ({ same }) => {
    same("has the values and the gradient of the reference", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        const X = input(side, length);
        const Y = side.out(length);
        const dX = side.out(length);
        const dY = side.normal(length);
        side.backend.unary(kind, Y, X);
        side.backend.unaryGrad(kind, dX, dY, X, Y);
        side.backend.unaryGrad(kind, dY, dY, X, Y);
        Object.assign(results, { [`Y ${length}`]: Y, [`dX ${length}`]: dX, [`dX over dY ${length}`]: dY });
      }
      return results;
    });
    same("maps zero like the reference", (side) => {
      const X = side.floats([0, 1, 0]);
      const Y = side.out(3);
      const dX = side.out(3);
      side.backend.unary(kind, Y, X);
      side.backend.unaryGrad(kind, dX, side.floats([1, 1, 2]), X, Y);
      return { Y, dX };
    });
  });
}

function affineCases(contract: Contract): void {
  contract.kernel("affine", ({ same }) => {
    same("adds two scaled buffers and a constant, or one of them", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        const A = side.normal(length);
        const B = side.normal(length);
        const both = side.out(length);
        const one = side.out(length);
        side.backend.affine({ out: both, a: 0.3, A, b: -1.7, B, c: 0.5 });
        side.backend.affine({ out: one, a: 0.3, A, b: 99, B: null, c: 0.5 });
        side.backend.affine({ out: A, a: 1, A, b: 0.1, B });
        side.backend.affine({ out: B, a: -2, A, b: 0.1, B });
        Object.assign(results, { [`both ${length}`]: both, [`one ${length}`]: one, [`A ${length}`]: A });
        results[`B ${length}`] = B;
      }
      return results;
    });
  });
  contract.kernel("clip", ({ same }) => {
    same("limits values to a range, also in place", (side) => {
      const X = side.normal(67);
      const out = side.out(67);
      side.backend.clip(out, X, -0.5, 1.25);
      side.backend.clip(X, X, 0, 1);
      return { out, X };
    });
  });
}

function dropoutCases(contract: Contract): void {
  contract.kernel("dropout", ({ same, holds }) => {
    for (const rate of [0, 0.1, 0.5, 0.9]) {
      same(`keeps the very same elements at rate ${rate}`, (side) => {
        const results: Results = {};
        for (const length of LENGTHS) {
          const out = (results[`out ${length}`] = side.out(length));
          side.backend.dropout(out, side.uniform(length, 1, 2), rate, KEY);
        }
        return results;
      });
    }
    same("works in place", (side) => {
      const X = side.normal(130);
      side.backend.dropout(X, X, 0.5, { lo: 1, hi: 0 });
      return { X };
    });
    same("is the same after relu as of its result", (side) => {
      const results: Results = {};
      for (const length of LENGTHS) {
        const X = side.normal(length);
        const Y = side.out(length);
        const dX = side.out(length);
        const dY = side.normal(length);
        side.backend.reluDropout(Y, X, 0.3, KEY);
        side.backend.reluDropoutGrad(dX, dY, Y, 0.3);
        side.backend.reluDropoutGrad(dY, dY, Y, 0.3);
        side.backend.reluDropout(X, X, 0.3, KEY);
        Object.assign(results, { [`Y ${length}`]: Y, [`dX ${length}`]: dX, [`X ${length}`]: X, [`dY ${length}`]: dY });
      }
      return results;
    });
    holds("draws anew for another key", async (side) => {
      const X = side.uniform(256, 1, 2);
      const first = side.out(256);
      const second = side.out(256);
      side.backend.dropout(first, X, 0.5, { lo: 1, hi: 0 });
      side.backend.dropout(second, X, 0.5, { lo: 1, hi: 1 });
      expect([...(await side.backend.read(first))]).not.toEqual([...(await side.backend.read(second))]);
    });
  });
}
