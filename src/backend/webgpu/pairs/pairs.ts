import { check } from "../../../core/errors.ts";
import type { Key } from "../../../core/philox.ts";
import { pairCount } from "../../../graph/pair-index.ts";
import type { Backend, PairBuffers, PairDraw } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { SELECT_STATE, select, sortSize, sortWide } from "../selection/selection.ts";
import { GROUP, groupRows } from "../sparse/group-rows.ts";

/** Rounds of draws by the whole grid before one workgroup draws the few that are still missing. */
const ROUNDS = 8;
/** Workgroups of the later rounds, in which little is missing. */
const LATER_GROUPS = 64;
const PLAN_WORDS = 8;

type Pairs = Pick<Backend, "samplePairs" | "resamplePairs" | "pairSigns" | "activeMatrix">;

/** Where a block is written, and what of the old one is kept; how many pairs that are only the device knows. */
interface Placing {
  readonly sources: GpuBuffer;
  readonly targets: GpuBuffer;
  readonly weights: GpuBuffer | null;
  readonly floor: number;
  /** What is to be drawn beside what is kept. */
  readonly plan: GpuBuffer | null;
  readonly kept: GpuBuffer | null;
  readonly keptWeights: GpuBuffer | null;
}

const NOTHING_KEPT = { weights: null, floor: 0, plan: null, kept: null, keptWeights: null };

/** Blocks of candidate pairs. */
export function pairs(gpu: Gpu, { fill }: Pick<Backend, "fill">): Pairs {
  const pairSigns: Pairs["pairSigns"] = (out, pairs, S, turn = false) => {
    const { sources, targets } = gpu.pairs("pairSigns", pairs);
    const { rowPtr, colIdx } = gpu.csr("pairSigns", S);
    const y = gpu.floats("pairSigns", "out", out, pairs.length);
    const kernel = gpu.kernel("pair-signs", () => ({ files: ["threads", "pair-signs"] }));
    const params = [pairs.length, Number(turn)];
    gpu.run(kernel, [y, sources, targets, rowPtr, colIdx], params, Math.ceil(pairs.length / WORKGROUP));
  };
  return {
    samplePairs(pairs, draw, key, signs) {
      const { sources, targets } = gpu.pairs("samplePairs", pairs);
      checkEnough("samplePairs", pairs);
      place(gpu, pairs, { sources, targets, ...NOTHING_KEPT }, draw, key);
      if (signs) pairSigns(signs.out, pairs, signs.S);
    },
    resamplePairs(next, nextWeights, pairs, weights, floor, draw, key, signs) {
      const name = "resamplePairs";
      const { numNodes, directed, length } = pairs;
      check(
        next.length === length && next.numNodes === numNodes && next.directed === directed,
        () => `resamplePairs: next must be a block of ${length} pairs of the same graph, got ${next.length} pairs`,
      );
      checkEnough(name, pairs);
      const from = gpu.pairs(name, pairs);
      const to = gpu.pairs(name, next);
      const weight = gpu.floats(name, "weights", weights, length);
      const nextWeight = gpu.floats(name, "nextWeights", nextWeights, length);
      const limit = Math.floor(length / 2);
      if (limit === 0) {
        fill(nextWeights, floor);
        place(gpu, next, { ...to, ...NOTHING_KEPT }, draw, key);
        if (signs) pairSigns(signs.out, next, signs.S);
        return;
      }
      const sizes = [["i32", SELECT_STATE] as const, ["i32", limit] as const, ["i32", 4 * limit] as const];
      gpu.borrow([...sizes, ["f32", limit], ["i32", PLAN_WORDS]], (selected, positions, kept, keptWeights, plan) => {
        select(gpu, selected, positions, weight, { length, floor, limit });
        const files = ["threads", "u64", "pair-index", "draw-plan", "kept-pairs"] as const;
        const kernel = gpu.kernel("kept-pairs", () => ({ files }));
        const args = [kept, keptWeights, selected, positions, from.sources, from.targets, weight, plan];
        gpu.run(kernel, args, [length, limit, numNodes, Number(directed)], Math.ceil(limit / WORKGROUP));
        place(gpu, next, { ...to, weights: nextWeight, floor, plan, kept, keptWeights }, draw, key);
      });
      if (signs) pairSigns(signs.out, next, signs.S);
    },
    pairSigns,
    activeMatrix(pairs, signs, weights, floor) {
      const name = "activeMatrix";
      const { numNodes, directed, length } = pairs;
      const { sources, targets } = gpu.pairs(name, pairs);
      const sign = gpu.floats(name, "signs", signs, length);
      const weight = gpu.floats(name, "weights", weights, length);
      const entries = directed ? length : 2 * length; // all of them might be active
      const rowPtr = gpu.heap.alloc("i32", numNodes + 1);
      const colIdx = gpu.heap.alloc("i32", entries);
      const values = gpu.heap.alloc("f32", entries);
      const kind = directed ? GROUP.pairs : GROUP.mirroredPairs;
      const what = { kind, numRows: numNodes, length, sources, targets, weights: weight, signs: sign, floor };
      groupRows(gpu, { rowPtr, colIdx, values }, what);
      return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values };
    },
  };
}

/** Draws what is missing and writes the block in ascending order. */
function place(gpu: Gpu, block: PairBuffers, to: Placing, draw: PairDraw, key: Key): void {
  const { numNodes, directed, length } = block;
  check(draw === "stratified" || draw === "uniform", () => `unknown draw "${draw}"; known are stratified, uniform`);
  if (length === 0) return;
  const RESAMPLE = Number(to.plan !== null);
  const LISTED = Number(draw === "uniform");
  const planner = gpu.kernel("plan-new-block", () => ({ files: ["u64", "pair-index", "draw-plan", "plan-new-block"] }));
  const placer = gpu.kernel(`write-block ${RESAMPLE} ${LISTED}`, () => ({
    files: ["threads", "u64", "philox", "pair-index", "draw", "write-block"],
    defines: { RESAMPLE, LISTED },
  }));
  const size = LISTED ? sortSize(length) : 2;
  gpu.borrow([["i32", PLAN_WORDS] as const, ["i32", 2 * size] as const], (fresh, ranks) => {
    const plan = to.plan ?? fresh;
    if (!to.plan) gpu.run(planner, [fresh], [length, numNodes, Number(directed)], 1);
    if (LISTED) drawDistinct(gpu, ranks, plan, length, key);
    const args = [to.sources, to.targets, to.weights, plan, ranks, to.kept, to.keptWeights];
    const params = [length, numNodes, Number(directed), key.lo, key.hi, to.floor];
    gpu.run(placer, args, params, Math.ceil(length / WORKGROUP));
  });
}

/** The sorted list of as many distinct draws as the plan says, `most` at most. */
function drawDistinct(gpu: Gpu, ranks: GpuBuffer, plan: GpuBuffer, most: number, key: Key): void {
  const size = sortSize(most);
  const slots = 2 * size;
  const clear = gpu.kernel("fill vec4u 0", () => ({ files: ["threads", "fill"], defines: { T: "vec4u" } }));
  gpu.borrow([["i32", slots] as const, ["i32", 4] as const], (table, progress) => {
    const step = (entry: string, groups: number) => {
      const files = ["threads", "u64", "philox", "draw", "draw-distinct"] as const;
      const kernel = gpu.kernel(`draw-distinct ${entry}`, () => ({ files, entry }));
      gpu.run(kernel, [table, progress, plan, ranks], [size, slots - 1, key.lo, key.hi], groups);
    };
    gpu.run(clear, [table], [slots / 4, 0], Math.ceil(slots / 4 / WORKGROUP));
    step("begin", 1);
    for (let round = 0; round < ROUNDS; round++) {
      const groups = Math.ceil(most / WORKGROUP);
      step("round", round === 0 ? groups : Math.min(groups, LATER_GROUPS));
      step("advance", 1);
    }
    step("finish", 1);
    step("pad", size / WORKGROUP);
    step("list", slots / WORKGROUP);
    sortWide(gpu, ranks, size);
  });
}

function checkEnough(kernel: string, { length, numNodes, directed }: PairBuffers): void {
  const count = pairCount(numNodes, directed);
  check(
    BigInt(length) <= count,
    () => `${kernel}: ${length} pairs wanted, but ${numNodes} nodes have only ${count}; lower the block size`,
  );
}
