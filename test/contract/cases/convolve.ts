import type { CsrBuffers, FinishBuffers, Scale } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const COLS = [1, 3, 4, 40, 130, 264];
const SIDES: Scale["sides"][] = ["left", "right", "both"];
/** Few columns try every side; a GPU compiles each combination anew. */
const sidesFor = (cols: number) => (cols === 3 || cols === 4 ? SIDES : SIDES.slice(2));

/** Square patterns; rows of them may be long, and a long row of one may be short in the other. */
const GRAPHS: Record<string, { nodes: number; A(i: number): number; B(i: number): number }> = {
  "rows of any length": { nodes: 67, A: (i) => (i * 5) % 13, B: (i) => (i * 7) % 4 },
  "rows that no workgroup stages at once": { nodes: 700, A: (i) => (i % 50 === 3 ? 690 : 30), B: (i) => (i % 9) * 8 },
  "no entries": { nodes: 5, A: () => 0, B: () => 0 },
  "one node": { nodes: 1, A: () => 0, B: () => 1 },
};

function finishes(side: Side, cols: number): FinishBuffers[] {
  return [{}, { bias: side.normal(cols) }, { relu: true }, { bias: side.normal(cols), relu: true }];
}

export function convolveCases(contract: Contract): void {
  contract.kernel("convolve", ({ same }) => {
    for (const [name, { nodes, A, B }] of Object.entries(GRAPHS)) {
      const run = (side: Side) => {
        const results: Results = {};
        const pattern = (length: (i: number) => number, valued: boolean): CsrBuffers =>
          side.csr(
            nodes,
            Array.from({ length: nodes }, (_, i) => length(i)),
            valued,
          );
        const graphs = [
          { A: pattern(A, false), B: null },
          { A: pattern(A, false), B: pattern(B, true) },
        ];
        const by = side.uniform(nodes, 0.1, 1);
        const merged = side.backend.mergeEdges(graphs[1], by);
        for (const cols of nodes > 100 ? [4, 40] : COLS) {
          const X = side.normal(nodes * cols);
          for (const [g, graph] of graphs.entries()) {
            for (const [t, sides] of sidesFor(cols).entries()) {
              const out = side.out(nodes * cols);
              const finish = finishes(side, cols)[(g + t + cols) % 4];
              side.backend.convolve({ out, graph, X, cols, scale: { by, sides }, finish });
              results[`${cols} columns, ${g ? "A + B" : "A"}, ${sides}`] = out;
              if (g === 0 || sides === "left") continue;
              const again = side.out(nodes * cols);
              side.backend.convolve({ out: again, graph: { ...graph, merged }, X, cols, scale: { by, sides }, finish });
              results[`${cols} columns, merged, ${sides}`] = again;
            }
          }
        }
        return results;
      };
      same(`sums neighbours, pairs and the node itself in a graph with ${name}`, run, { scale: nodes > 100 ? 30 : 1 });
    }
    same("leaves what lies behind its own elements alone", (side) => {
      const out = side.normal(20);
      const A = side.csr(3, [1, 2, 0], false);
      side.backend.convolve({
        out,
        graph: { A, B: null },
        X: side.normal(12),
        cols: 4,
        scale: { by: side.uniform(3, 0, 1), sides: "both" },
      });
      return { out };
    });
  });

  contract.kernel("convolveRows", ({ same }) => {
    for (const [name, { nodes, A, B }] of Object.entries(GRAPHS)) {
      const run = (side: Side) => {
        const results: Results = {};
        const lengths = (length: (i: number) => number) => Array.from({ length: nodes }, (_, i) => length(i));
        const graph = { A: side.csr(nodes, lengths(A), false), B: side.csr(nodes, lengths(B)) };
        const by = side.uniform(nodes, 0.1, 1);
        const count = Math.ceil(nodes / 3);
        const rows = side.indices(count, nodes);
        for (const cols of [3, 40]) {
          for (const [t, finish] of finishes(side, cols).entries()) {
            const [out, sides] = [side.out(count * cols), t === 1 ? "left" : "both"] as const;
            const merged = t === 3 ? side.backend.mergeEdges(graph, by) : null;
            const edges = t === 2 ? { ...graph, B: null } : { ...graph, merged };
            side.backend.convolveRows({
              out,
              rows,
              graph: edges,
              X: side.normal(nodes * cols),
              cols,
              scale: { by, sides },
              finish,
            });
            results[`${cols} columns, finish ${t}`] = out;
          }
        }
        return results;
      };
      same(`is some rows of a convolution in a graph with ${name}`, run, { scale: nodes > 100 ? 30 : 1 });
    }
  });

  contract.kernel("convolveGrad", ({ same }) => {
    for (const [name, { nodes, A, B }] of Object.entries(GRAPHS)) {
      const run = (side: Side) => {
        const results: Results = {};
        const lengths = (length: (i: number) => number) => Array.from({ length: nodes }, (_, i) => length(i));
        const graph = { A: side.csr(nodes, lengths(A), false), B: side.csr(nodes, lengths(B)) };
        const by = side.uniform(nodes, 0.1, 1);
        for (const cols of nodes > 100 ? [4, 40] : COLS) {
          for (const accumulate of [false, true]) {
            const dZ = side.normal(nodes * cols);
            const X = side.normal(nodes * cols);
            const dots = side.normal(nodes);
            const dX = accumulate ? null : side.out(nodes * cols);
            const dScale = accumulate ? side.normal(nodes) : side.out(nodes);
            side.backend.convolveGrad({
              grads: { dX, dScale },
              graph: accumulate ? { ...graph, B: null } : graph,
              dZ,
              X,
              cols,
              scale: {
                by,
                dots,
                accumulate,
              },
            });
            results[`${cols} columns, dScale, ${accumulate}`] = dScale;
            if (!dX) continue;
            results[`${cols} columns, dX`] = dX;
            const again = side.out(nodes * cols);
            const dScaleAgain = side.out(nodes);
            const merged = side.backend.mergeEdges(graph, by);
            const grads = { dX: again, dScale: dScaleAgain };
            side.backend.convolveGrad({ grads, graph: { ...graph, merged }, dZ, X, cols, scale: { by, dots } });
            Object.assign(results, {
              [`${cols} columns, merged`]: again,
              [`${cols} columns, merged, dScale`]: dScaleAgain,
            });
          }
        }
        return results;
      };
      same(`multiplies the gradients of rows with the rows in a graph with ${name}`, run, {
        scale: nodes > 100 ? 1000 : 100,
      });
    }
  });

  contract.kernel("finishGrad", ({ same }) => {
    same(
      "passes gradients where the result is above 0 and multiplies rows with what they come from",
      (side) => {
        const results: Results = {};
        const rows = 37;
        for (const cols of COLS) {
          for (const [t, finish] of finishes(side, cols).entries()) {
            const Y = side.normal(rows * cols);
            const dY = side.normal(rows * cols);
            const dots = side.out(rows);
            const dZ = finish.relu ? side.out(rows * cols) : dY;
            side.backend.finishGrad({ dZ, dots, dY, Y, rows, cols, finish });
            Object.assign(results, { [`dZ ${cols} ${t}`]: dZ, [`dots ${cols} ${t}`]: dots });
          }
        }
        return results;
      },
      { scale: 10 },
    );
    same(
      "works over the gradient it is given",
      (side) => {
        const Y = side.normal(60);
        const dY = side.normal(60);
        const dots = side.out(5);
        side.backend.finishGrad({
          dZ: dY,
          dots,
          dY,
          Y,
          rows: 5,
          cols: 12,
          finish: { bias: side.normal(12), relu: true },
        });
        return { dY, dots };
      },
      { scale: 10 },
    );
  });

  contract.kernel("finishGradRows", ({ same }) => {
    const run = (side: Side) => {
      const results: Results = {};
      const count = 37;
      const numRows = 90;
      const lengths: number[] = Array.from({ length: numRows }, (_, i) => (i % 3 === 0 ? 1 : i % 20 === 7 ? 2 : 0));
      const entries = lengths.reduce((sum, length) => sum + length, 0);
      for (const cols of COLS) {
        for (const [t, finish] of finishes(side, cols).entries()) {
          const pattern = side.csr(numRows, lengths, false);
          const places = { ...pattern, numCols: count, colIdx: side.indices(entries, count) };
          const Y = side.normal(count * cols);
          const dY = side.normal(count * cols);
          const dZ = side.out(numRows * cols);
          const dots = side.out(numRows);
          side.backend.finishGradRows({ dZ, dots, dY, Y, places, cols, finish });
          Object.assign(results, { [`dZ ${cols} ${t}`]: dZ, [`dots ${cols} ${t}`]: dots });
        }
      }
      return results;
    };
    same("puts what goes back through some rows in their places among all", run, { scale: 10 });
  });

  contract.kernel("sddmm with factors", ({ same }) => {
    same(
      "takes rows of both matrices times their factors",
      (side) => {
        const results: Results = {};
        const numNodes = 23;
        const length = 57;
        const sources = side.indices(length, numNodes);
        const targets = side.indices(length, numNodes);
        const by = side.uniform(numNodes, 0.1, 1);
        for (const cols of COLS) {
          const P = side.normal(numNodes * cols);
          const Q = side.normal(numNodes * cols);
          for (const sides of sidesFor(cols)) {
            for (const symmetric of [true, false]) {
              const out = side.normal(length);
              const pairs = { numNodes, directed: !symmetric, length, sources, targets };
              side.backend.sddmm({
                out,
                pairs,
                P,
                Q,
                cols,
                symmetric,
                accumulate: sides === "both",
                scale: { by, sides },
              });
              results[`${cols} columns, ${sides}, ${symmetric}`] = out;
            }
          }
        }
        return results;
      },
      { scale: 10 },
    );
  });

  contract.kernel("matmul that finishes", ({ same }) => {
    same(
      "adds a bias and cuts off below 0, whatever way the product is taken",
      (side) => {
        const results: Results = {};
        const SIZES = [
          [3, 5, 7],
          [260, 132, 68],
          [300, 40, 256],
          [16, 24, 5000],
        ] as const;
        for (const [m, n, k] of SIZES) {
          for (const [t, finish] of finishes(side, n).entries()) {
            const A = side.normal(m * k, 0.1);
            const B = side.normal(k * n);
            const out = side.out(m * n);
            const sum = side.normal(m * n);
            side.backend.matmul(out, A, B, { m, n, k }, finish);
            side.backend.matmul(sum, A, B, { m, n, k, transA: true, accumulate: true }, finish);
            Object.assign(results, { [`out ${m}x${n}x${k} ${t}`]: out, [`sum ${m}x${n}x${k} ${t}`]: sum });
          }
        }
        return results;
      },
      { scale: 3 },
    );
  });
}
