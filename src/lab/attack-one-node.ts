import { localAttacks } from "../attack/local/local-attacks.ts";
import type { LocalResult } from "../attack/local/local-result.ts";
import type { Influence } from "../attack/local/local-task.ts";
import type { Neighbourhood } from "../attack/local/neighbourhood.ts";
import { openEvaluator } from "../attack/local/node-evaluator.ts";
import type { NodeOutcome } from "../attack/local/node-outcome.ts";
import { check, Interrupted, lookup } from "../core/errors.ts";
import { attackRng } from "../defense/build-model.ts";
import type { AttackedNode, NodeAnswer, Surroundings } from "./calls.ts";
import type { Fields } from "./fields.ts";
import { flatPairs } from "./lab-graph.ts";
import type { LabModel } from "./lab-model.ts";
import type { LabWatch } from "./lab-watch.ts";

const MOST_FLIPS = 20;
const INFLUENCES: readonly string[] = ["direct", "influencer", "both"] satisfies Influence[];

/** The default is the first of these that works on the model. None has a surrogate that must be trained. */
const BY_STRENGTH = ["local-prbcd", "fga", "exhaustive"];

/** Names of the attacks that find their flips on the model itself. */
export const nodeAttackNames = Object.keys(localAttacks).filter((name) => localAttacks[name].surrogate === null);

/** Attacks one node and returns the model's answer for it after each flip. */
export async function attackOneNode(model: LabModel, fields: Fields, watch: LabWatch): Promise<AttackedNode> {
  const { graph, view } = model.home;
  const node = fields.wholeNumber("node", { from: 0, to: graph.numNodes - 1 });
  const attack = fields.has("attack") ? fields.text("attack") : strongestFor(model);
  const flips = fields.wholeNumber("budget", { from: 1, to: 1000 }, attack === "exhaustive" ? 1 : MOST_FLIPS);
  const minimal = fields.boolean("minimal", true);
  const influence = fields.text("influence", "direct");
  const towards = fields.has("towards")
    ? fields.wholeNumber("towards", { from: 0, to: graph.numClasses - 1 })
    : undefined;
  const seed = fields.wholeNumber("seed", { from: 0 }, model.seed);
  fields.end();
  check(nodeAttackNames.includes(attack), () => `unknown attack "${attack}"; known are ${nodeAttackNames.join(", ")}`);
  check(INFLUENCES.includes(influence), () => `attackNode: influence must be one of ${INFLUENCES.join(", ")}`);
  check(graph.labels[node] >= 0, () => `node ${node} has no class, so that no attack can change whether it is right`);
  const kind = lookup(localAttacks, attack, "attack");
  kind.checkModel(model.model, influence as Influence);
  const task = {
    nodes: [node],
    budget: { flips, minimal },
    rng: attackRng(seed),
    influence: influence as Influence,
    ...(towards !== undefined && { towards }),
    ...watch,
  };
  for await (const result of kind.run(model.model, view, task)) return describe(model, attack, result);
  throw new Interrupted(`the attack on node ${node} was ended before it began`);
}

function strongestFor({ model }: LabModel): string {
  const fitting = BY_STRENGTH.find((name) => {
    try {
      localAttacks[name].checkModel(model, "direct");
      return true;
    } catch {
      return false;
    }
  });
  return fitting ?? "local-dice";
}

async function describe(model: LabModel, attack: string, result: LocalResult): Promise<AttackedNode> {
  const { node, label, perturbation, actions, success, seconds, interrupted } = result;
  const { sources, targets } = perturbation.flips;
  const evaluator = await openEvaluator(model.model, model.home.view, [node], "graph");
  const answers = [answerOf(result.clean)];
  try {
    for (let made = 1; made <= sources.length; made++) {
      const first = { sources: sources.slice(0, made), targets: targets.slice(0, made) };
      answers.push(answerOf(await evaluator.afresh({ node, label }, first)));
    }
  } finally {
    evaluator.dispose();
  }
  return {
    node,
    attack,
    flips: flatPairs(perturbation.flips),
    actions,
    answers,
    success,
    surroundings: surroundingsOf(result.neighbourhood),
    seconds,
    interrupted,
  };
}

/** An answer as JSON, which has no infinity: margins on a graph with one class become the largest number. */
export function answerOf({ prediction, correct, margin, probabilities }: NodeOutcome): NodeAnswer {
  const finite = Number.isFinite(margin) ? margin : Number.MAX_VALUE;
  return { prediction, correct, margin: finite, probabilities: [...probabilities] };
}

export function surroundingsOf({ nodes, edges, complete }: Neighbourhood): Surroundings {
  return {
    nodes: [...nodes],
    edges: edges.flatMap(({ source, target }) => [source, target]),
    actions: edges.map(({ action }) => action),
    complete,
  };
}
