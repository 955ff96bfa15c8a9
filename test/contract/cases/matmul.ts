import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const SIZES: [m: number, n: number, k: number][] = [
  [1, 1, 1],
  [3, 5, 7],
  [4, 4, 4],
  [17, 33, 9],
  [65, 1, 130],
  [1, 64, 65],
  [64, 130, 1],
  [8, 16, 64],
  [70, 40, 257],
  [129, 66, 31],
  [260, 132, 68],
  [136, 36, 520],
];

export function matmulCases(contract: Contract): void {
  contract.kernel("matmul", ({ same }) => {
    for (const [transA, transB] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      same(`multiplies ${transA ? "Aᵀ" : "A"} by ${transB ? "Bᵀ" : "B"}, over the result or added to it`, (side) => {
        const results: Results = {};
        for (const [m, n, k] of SIZES) {
          const A = side.normal(m * k);
          const B = side.normal(k * n);
          const out = side.out(m * n);
          const sum = side.normal(m * n);
          side.backend.matmul(out, A, B, { m, n, k, transA, transB });
          side.backend.matmul(sum, A, B, { m, n, k, transA, transB, accumulate: true });
          Object.assign(results, { [`out ${m}x${n}x${k}`]: out, [`sum ${m}x${n}x${k}`]: sum });
        }
        return results;
      });
    }
    same("multiplies a very long matrix by a narrow one", (side) => {
      const m = 2 ** 16 + 70;
      const out = side.out(7 * m);
      side.backend.matmul(out, side.normal(5 * m), side.normal(5 * 7), { m, n: 7, k: 5 });
      return { out };
    });
    same("gives zeros where the inner size is zero, and nothing where an outer size is", (side) => {
      const out = side.out(15);
      const kept = side.normal(15);
      const none = side.out(0);
      side.backend.matmul(out, side.out(0), side.out(0), { m: 3, n: 5, k: 0 });
      side.backend.matmul(kept, side.out(0), side.out(0), { m: 3, n: 5, k: 0, accumulate: true });
      side.backend.matmul(none, side.out(0), side.normal(20), { m: 0, n: 5, k: 4 });
      return { out, kept, none };
    });
    same("writes no further than its own m·n elements", (side) => {
      const out = side.normal(40);
      side.backend.matmul(out, side.normal(21), side.normal(35), { m: 3, n: 5, k: 7 });
      return { out };
    });
  });

  contract.kernel("reluGradProduct", ({ same }) => {
    same("multiplies what of a gradient passes a relu, over the result or added to it", (side) => {
      const results: Results = {};
      for (const [m, k, n] of SIZES) {
        const dY = side.normal(m * n);
        const Y = side.normal(m * n);
        const W = side.normal(k * n);
        const out = side.out(m * k);
        const sum = side.normal(m * k);
        side.backend.reluGradProduct(out, dY, Y, W, { m, n, k });
        side.backend.reluGradProduct(sum, dY, Y, W, { m, n, k, accumulate: true });
        Object.assign(results, { [`out ${m}x${k}x${n}`]: out, [`sum ${m}x${k}x${n}`]: sum });
      }
      return results;
    });
  });

  contract.kernel("productFinishGrad", ({ same }) => {
    const run = (side: Side) => {
      const results: Results = {};
      const FINISHED = [
        [3, 5, 7],
        [136, 36, 520],
        [200, 256, 44],
        [70, 128, 260],
        [300, 64, 112],
        [90, 260, 96],
      ] as const;
      for (const [t, [m, k, n]] of FINISHED.entries()) {
        const dV = side.normal(m * n, 0.1);
        const V = side.normal(m * n);
        const W = side.normal(k * n);
        const Y = side.normal(m * k);
        for (const isCut of [true, false]) {
          const finish = { bias: (t + Number(isCut)) % 3 === 0 ? null : side.normal(k), relu: t % 2 === 0 };
          const dZ = side.out(m * k);
          const dots = side.out(m);
          side.backend.productFinishGrad({ dZ, dots, dV, W, Y, size: { m, n, k }, finish, above: isCut ? V : null });
          Object.assign(results, { [`dZ ${m}x${k}x${n} ${isCut}`]: dZ, [`dots ${m}x${k}x${n} ${isCut}`]: dots });
        }
      }
      return results;
    };
    same("goes back through a product and what the matrix before it finished with", run, { scale: 30 });
  });
}
