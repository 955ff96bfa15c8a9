import { check } from "../../../core/errors.ts";
import { pairCount } from "../../../graph/pair-index.ts";
import type { Backend, PairBuffers } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { SELECT_STATE, select } from "../selection/select.ts";
import { GROUP, groupRows } from "../sparse/group-rows.ts";
import { addLargest } from "./add-largest.ts";
import { DRAW_PLAN_WORDS, writeBlock } from "./write-block.ts";

type Pairs = Pick<Backend, "samplePairs" | "resamplePairs" | "pairSigns" | "activeMatrix" | "addLargest">;

/** Blocks of candidate pairs. */
export function pairs(gpu: Gpu, { fill }: Pick<Backend, "fill">): Pairs {
  const signsOf = pairSigns(gpu);
  return {
    samplePairs: samplePairs(gpu, signsOf),
    resamplePairs: resamplePairs(gpu, fill, signsOf),
    pairSigns: signsOf,
    activeMatrix: activeMatrix(gpu),
    addLargest: addLargest(gpu),
  };
}

function pairSigns(gpu: Gpu): Backend["pairSigns"] {
  return (out, pairs, S, turn = false) => {
    const name = "pairSigns";
    const { sources, targets } = gpu.pairs(name, pairs);
    const { rowPtr, colIdx } = gpu.csr(name, S);
    const { length } = pairs;
    gpu.launch({
      shader: "pair-signs",
      bind: { out: gpu.floats(name, "out", out, length), sources, targets, rowPtr, colIdx },
      params: { length, turn: Number(turn) },
      threads: length,
    });
  };
}

function samplePairs(gpu: Gpu, signsOf: Backend["pairSigns"]): Backend["samplePairs"] {
  return (pairs, draw, key, signs) => {
    const { sources, targets } = gpu.pairs("samplePairs", pairs);
    checkEnough("samplePairs", pairs);
    writeBlock(gpu, { block: pairs, sources, targets, draw, key, kept: null });
    if (signs) signsOf(signs.out, pairs, signs.S);
  };
}

function resamplePairs(gpu: Gpu, fill: Backend["fill"], signsOf: Backend["pairSigns"]): Backend["resamplePairs"] {
  return ({ next, nextWeights, pairs, weights, floor, draw, key, signs }) => {
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
      writeBlock(gpu, { block: next, ...to, draw, key, kept: null });
    } else {
      const scratch = {
        selected: { i32: SELECT_STATE },
        positions: { i32: limit },
        kept: { i32: 4 * limit },
        keptWeights: { f32: limit },
        plan: { i32: DRAW_PLAN_WORDS },
      };
      gpu.borrow(scratch, ({ selected, positions, kept, keptWeights, plan }) => {
        select(gpu, selected, positions, weight, { length, floor, limit });
        gpu.launch({
          shader: "kept-pairs",
          bind: { ...from, weights: weight, selected, positions, kept, keptWeights, plan },
          params: { length, limit, numNodes, directed: Number(directed) },
          threads: limit,
        });
        const stay = { pairs: kept, weights: keptWeights, plan, newWeights: nextWeight, floor };
        writeBlock(gpu, { block: next, ...to, draw, key, kept: stay });
      });
    }
    if (signs) signsOf(signs.out, next, signs.S);
  };
}

function activeMatrix(gpu: Gpu): Backend["activeMatrix"] {
  return (pairs, signs, weights, floor) => {
    const name = "activeMatrix";
    const { numNodes, directed, length } = pairs;
    const { sources, targets } = gpu.pairs(name, pairs);
    const entries = directed ? length : 2 * length; // all of them might be active
    const what = {
      kind: directed ? GROUP.pairs : GROUP.mirroredPairs,
      numRows: numNodes,
      length,
      sources,
      targets,
      weights: gpu.floats(name, "weights", weights, length),
      signs: gpu.floats(name, "signs", signs, length),
      floor,
    };
    const rowPtr = gpu.heap.alloc("i32", numNodes + 1);
    const colIdx = gpu.heap.alloc("i32", entries);
    const values = gpu.heap.alloc("f32", entries);
    groupRows(gpu, { rowPtr, colIdx, values }, what);
    return { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values };
  };
}

function checkEnough(kernel: string, { length, numNodes, directed }: PairBuffers): void {
  const count = pairCount(numNodes, directed);
  check(
    BigInt(length) <= count,
    () => `${kernel}: ${length} pairs wanted, but ${numNodes} nodes have only ${count}; lower the block size`,
  );
}
