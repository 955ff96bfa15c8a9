import { check } from "../../../core/errors.ts";
import type { Key } from "../../../core/philox.ts";
import type { PairBuffers, PairDraw } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { sortSize } from "../selection/sort-u64.ts";
import { drawDistinct } from "./draw-distinct.ts";

/** Words of the plan from `draw-plan.wgsl`: how many pairs are kept, how many are drawn, and from which ranges. */
export const DRAW_PLAN_WORDS = 8;

/** Pairs of the old block that stay in the new one. Only the device knows how many there are. */
export interface KeptPairs {
  readonly pairs: GpuBuffer;
  readonly weights: GpuBuffer;
  /** The plan for the pairs that are drawn. */
  readonly plan: GpuBuffer;
  /** Receives the weights of the new block; drawn pairs get `floor`. */
  readonly newWeights: GpuBuffer;
  readonly floor: number;
}

export interface NewBlock {
  readonly block: PairBuffers;
  readonly sources: GpuBuffer;
  readonly targets: GpuBuffer;
  readonly draw: PairDraw;
  readonly key: Key;
  readonly kept: KeptPairs | null;
}

/** Draws the pairs that are missing and writes the block in ascending order. */
export function writeBlock(gpu: Gpu, { block, sources, targets, draw, key, kept }: NewBlock): void {
  const { numNodes, length } = block;
  const directed = Number(block.directed);
  check(draw === "stratified" || draw === "uniform", () => `unknown draw "${draw}"; known are stratified, uniform`);
  if (length === 0) return;
  const isListed = draw === "uniform";
  const size = isListed ? sortSize(length) : 2;
  gpu.borrow({ fresh: { i32: DRAW_PLAN_WORDS }, ranks: { i32: 2 * size } }, ({ fresh, ranks }) => {
    const plan = kept?.plan ?? fresh;
    if (!kept) {
      gpu.launch({ shader: "plan-new-block", bind: { plan }, params: { length, numNodes, directed }, groups: 1 });
    }
    if (isListed) drawDistinct(gpu, ranks, plan, length, key);
    gpu.launch({
      shader: "write-block",
      constants: { RESAMPLE: Number(kept !== null), LISTED: Number(isListed) },
      bind: {
        sources,
        targets,
        weights: kept?.newWeights ?? null,
        plan,
        ranks,
        kept: kept?.pairs ?? null,
        keptWeights: kept?.weights ?? null,
      },
      params: { numNodes, directed, keyLow: key.lo, keyHigh: key.hi, floor: kept?.floor ?? 0 },
      threads: length,
    });
  });
}
