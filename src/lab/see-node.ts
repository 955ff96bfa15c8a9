import { directedRows } from "../attack/local/attacked-graph.ts";
import { withoutSpareFlips } from "../attack/local/fewest-flips.ts";
import { neighbourhoodOf } from "../attack/local/neighbourhood.ts";
import { openEvaluator } from "../attack/local/node-evaluator.ts";
import { checkFlips, type Flips, noFlips } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import { answerOf, surroundingsOf } from "./attack-one-node.ts";
import type { SeenNode } from "./calls.ts";
import { flatPairs } from "./lab-graph.ts";
import type { LabModel } from "./lab-model.ts";

/** Most flips that are tested for having changed a prediction, the nearest first: each test is a pass of the model. */
const MOST_TRIED = 60;

/** A node after some flips: its surroundings, and what a model predicts for it. */
export async function seeNode(graph: Graph, node: number, flips: Flips, model: LabModel | null): Promise<SeenNode> {
  checkFlips(graph, flips);
  const rows = directedRows(graph);
  const near = nearFlips(graph, node, flips);
  const about =
    model && graph.labels[node] >= 0 ? await ask(model, node, flips, near) : { answers: null, tipping: noFlips };
  return {
    node,
    degree: rows.neighbours(node).length,
    surroundings: surroundingsOf(neighbourhoodOf(rows, node, near)),
    answers: about.answers,
    tipping: flatPairs(about.tipping),
  };
}

async function ask(
  { model, home }: LabModel,
  node: number,
  flips: Flips,
  near: Flips,
): Promise<{ answers: SeenNode["answers"]; tipping: Flips }> {
  const evaluator = await openEvaluator(model, home.view, [node], "graph");
  const target = { node, label: home.graph.labels[node] };
  try {
    const clean = evaluator.clean(target);
    const flipped = await evaluator.afresh(target, flips);
    const tips = async (some: Flips) => (await evaluator.tried(target, some)).prediction === flipped.prediction;
    const changed = flipped.prediction !== clean.prediction;
    const tipping = changed && (await tips(near)) ? await withoutSpareFlips(near, tips) : noFlips;
    return { answers: { clean: answerOf(clean), flipped: answerOf(flipped) }, tipping };
  } finally {
    evaluator.dispose();
  }
}

/** The flips at a node or its neighbours, the nearest first, because `withoutSpareFlips` drops the last ones first. */
function nearFlips({ adjacency, directed }: Graph, node: number, { sources, targets }: Flips): Flips {
  const { rowPtr, colIdx } = adjacency;
  const distance = new Map([[node, 0]]);
  for (const neighbour of colIdx.subarray(rowPtr[node], rowPtr[node + 1])) distance.set(neighbour, 1);
  for (let k = 0; k < sources.length; k++) {
    if (sources[k] === node) distance.set(targets[k], 1);
    if (targets[k] === node && !directed) distance.set(sources[k], 1);
  }
  const far = 2;
  const from = (k: number) => Math.min(distance.get(sources[k]) ?? far, distance.get(targets[k]) ?? far);
  const places = Array.from(sources.keys()).filter((k) => from(k) < far);
  const nearest = places.sort((a, b) => from(a) - from(b) || a - b).slice(0, MOST_TRIED);
  return {
    sources: Int32Array.from(nearest, (k) => sources[k]),
    targets: Int32Array.from(nearest, (k) => targets[k]),
  };
}
