import { Rng } from "../../core/rng.ts";
import type { Csr } from "../../graph/csr.ts";
import { hostGraph, scope } from "../../tensor/index.ts";
import type { Victim } from "../victim.ts";
import { readStack } from "./host-stack.ts";
import { openPatched } from "./patched-standing.ts";
import type { Standing } from "./standing.ts";
import { openWholePass } from "./whole-pass-standing.ts";

/**
 * If a change reaches more than this share of the nodes, and more than this number, on average, a forward pass is
 * cheaper.
 */
const LARGEST_REACH = 0.1;
const FEW_NODES = 200;
/** Random nodes whose reach is counted. */
const SAMPLES = 50;

/**
 * Stands at the clean graph: patched where the model is a stack of convolutions, the objective adds up over nodes, and a change
 * reaches few of them; by whole passes otherwise. The caller closes it.
 */
export async function openStanding(victim: Victim, nodes: ArrayLike<number>, rng: Rng): Promise<Standing> {
  const { model, view, objective } = victim;
  const { perNode } = objective;
  if (perNode === null || !reachesFew(victim, rng)) return openWholePass(victim);
  const stack = await readStack(model, view);
  return stack ? openPatched(stack, view, { nodes, perNode }) : openWholePass(victim);
}

/** Whether a search on this victim will stand patched, so that thousands of changes can be tried. */
export function hasCheapTrials(victim: Victim): boolean {
  return victim.objective.perNode !== null && reachesFew(victim, new Rng(0));
}

/** Whether a change to the edges of a stack of convolutions reaches few nodes. */
function reachesFew({ model, view }: Victim, rng: Rng): boolean {
  const hops = scope(() => model.convolutions?.()?.layers.length ?? 0);
  if (hops === 0) return false;
  const reach = meanReach(hostGraph(view, "polish").adjacency, hops, rng);
  return reach <= Math.max(FEW_NODES, LARGEST_REACH * view.numNodes);
}

/** How many nodes are within `hops` edges of a random one, on average. */
export function meanReach({ numRows, rowPtr, colIdx }: Csr, hops: number, rng: Rng): number {
  let total = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const reached = new Set([rng.integer(numRows)]);
    let border = [...reached];
    for (let hop = 0; hop < hops; hop++) {
      const next: number[] = [];
      for (const i of border) {
        for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
          const j = colIdx[e];
          if (reached.has(j)) continue;
          reached.add(j);
          next.push(j);
        }
      }
      border = next;
    }
    total += reached.size;
  }
  return total / SAMPLES;
}
