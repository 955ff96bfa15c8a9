import type { Backend, PageRankOptions } from "../../backend.ts";
import { chebyshevValues } from "../../chebyshev-values.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { withUploads } from "../engine/uploads.ts";
import { withWorkspaces } from "../engine/workspaces.ts";
import { PANEL } from "../sparse/panel-entries.ts";
import { type OrderedSystem, orderedSystem } from "./ordered-system.ts";
import { sumParts } from "./sum-parts.ts";
import { type SystemAddresses, TrailingPart } from "./trailing-part.ts";

/** Columns of a stage: four panels, for up to four threads. Smaller stages would shrink the remaining system sooner. */
const STAGE = 4 * PANEL;

/**
 * PageRank by Chebyshev iteration, all iterations of a panel of columns in one go: the panel never leaves the cache of
 * its thread.
 *
 * Columns are solved in stages, those of nodes with many entries first. The matrix is symmetric, so a solved column is
 * also a known row of all later columns. The system that is left for them shrinks from stage to stage, and with it the
 * spectral radius, which sets the number of iterations. The last nodes have no edges between them and need no
 * iterations.
 */
export function pageRank(engine: Engine): Pick<Backend, "pageRank"> {
  return {
    pageRank(out, parts, degrees, options) {
      const n = parts[0].numRows;
      const y = engine.floats("pageRank", "out", out, n * n);
      engine.floats("pageRank", "degrees", degrees, n);
      const degree = (engine.heap.values(degrees as WasmBuffer) as Float32Array).slice(0, n);
      const system = orderedSystem(sumParts(engine, "pageRank", parts), degree, options.alpha);
      const { rowPtr, entries, places, scale } = system;
      withUploads(engine, { rowPtr, entries, places, scale }, (addresses) =>
        engine.borrow("f32", n * n, (_, x) => {
          solveInStages(engine, x, system, addresses, options);
          engine.run("restoreOrder", n, rowGrain(n), y, x, n, addresses.places, addresses.scale);
        }),
      );
    },
  };
}

/** Writes X with (I − G)X = αI to the address `x`. */
function solveInStages(
  engine: Engine,
  x: number,
  system: OrderedSystem,
  addresses: SystemAddresses,
  { alpha, tolerance }: PageRankOptions,
): void {
  const n = system.places.length;
  const ownError = tolerance / 2; // the other half is for errors in the rows that a stage takes as known
  const part = new TrailingPart(engine, system, addresses);
  const matrix = [addresses.rowPtr, part.split.address, addresses.entries];
  try {
    withWorkspaces(engine, { bytes: engine.call("chebyshevBytes", n) }, (workspaces) => {
      for (let first = 0; first < n; first += STAGE) {
        const stop = Math.min(n, first + STAGE);
        part.beginAt(first);
        withIteration(engine, Math.max(part.radius, ownError), ownError, ({ factors, steps, scale, outScale }) => {
          const iteration = [alpha, factors, steps, scale, outScale];
          const panels = Math.ceil((stop - first) / PANEL);
          const columns = [x, n, first, stop];
          engine.run("chebyshevColumns", panels, 1, ...columns, ...matrix, ...iteration, workspaces.record);
        });
      }
    });
  } finally {
    part.free();
  }
}

/** Numbers of a Chebyshev iteration, as `assembly/page-rank/chebyshev.ts` takes them. */
interface Iteration {
  /** Address of a factor per step. */
  readonly factors: number;
  readonly steps: number;
  readonly scale: number;
  readonly outScale: number;
}

/** Hands `use` the iteration for a matrix with at most this spectral radius. */
function withIteration(engine: Engine, radius: number, error: number, use: (iteration: Iteration) => void): void {
  const values = chebyshevValues(radius, error);
  const last = values.pop()!;
  const factors = Float32Array.from(values, (value, k) => ((k === 0 ? 1 : 2) * value) / radius);
  withUploads(engine, { factors }, (addresses) => {
    use({ factors: addresses.factors, steps: factors.length, scale: 2 / radius, outScale: 1 / last });
  });
}
