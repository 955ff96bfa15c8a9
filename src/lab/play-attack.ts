import { edgeBudget } from "../attack/budget.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { check, lookup } from "../core/errors.ts";
import { checkKnown, type Description, fromJson } from "../core/options/index.ts";
import { attackRng } from "../defense/build-model.ts";
import { type Flips, flipActions } from "../graph/flips.ts";
import type { NodePredictions } from "../nn/training/predict-nodes.ts";
import type { PlayedAttack, PlayedPoint } from "./calls.ts";
import type { Fields } from "./fields.ts";
import { orderFlips } from "./flip-order.ts";
import { flatPairs } from "./lab-graph.ts";
import { type JsonOptions, jsonOf, type LabModel } from "./lab-model.ts";
import type { LabWatch } from "./lab-watch.ts";

/** Into how many steps the flips are divided; the model predicts after each step. */
const POINTS = 40;

/** Attacks a model and records how its predictions change as more and more of the flips are made. */
export async function playAttack(model: LabModel, fields: Fields, watch: LabWatch): Promise<PlayedAttack> {
  const attack = fields.text("attack");
  const epsilon = fields.number("epsilon", { from: 0, to: 1 }, 0.05);
  const seed = fields.wholeNumber("seed", { from: 0 }, model.seed);
  const kind = lookup(globalAttacks, attack, "attack");
  const options = optionValues(attack, kind.options, fields.object("options"));
  fields.end();
  const { graph, view } = model.home;
  const budget = edgeBudget(graph, epsilon);
  const nodes = model.testNodes;
  const { perturbation, accuracy, cost, interrupted } = await kind.run(
    model.model,
    view,
    { nodes, budget, rng: attackRng(seed), ...watch },
    options,
  );
  const ordering = { model: model.model, view, nodes, margins: model.clean.margins, ...watch };
  const flips = kind.incremental ? perturbation.flips : await orderFlips(perturbation.flips, ordering);
  const { points, last } = await followPoints(model, flips);
  return {
    model: model.id,
    attack,
    epsilon,
    budget,
    flips: flatPairs(flips),
    actions: flipActions(graph, flips),
    points,
    accuracy,
    after: jsonOf(last),
    seconds: cost.seconds,
    interrupted,
  };
}

/** Reads the options of an attack from JSON; throws on an unknown name or an invalid value. */
function optionValues(owner: string, description: Description, given: JsonOptions): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, json] of Object.entries(given)) {
    checkKnown(owner, description, name);
    values[name] = fromJson(description[name], json);
    check(
      values[name] !== undefined,
      () => `${owner}: ${name} must be ${description[name].must}, got ${JSON.stringify(json)}`,
    );
  }
  return values;
}

async function followPoints(model: LabModel, flips: Flips): Promise<{ points: PlayedPoint[]; last: NodePredictions }> {
  const count = flips.sources.length;
  const steps = Math.min(POINTS, count);
  let last = model.clean;
  const points: PlayedPoint[] = [{ flips: 0, accuracy: model.accuracyOf(last), nodes: [], predictions: [] }];
  for (let step = 1; step <= steps; step++) {
    const made = Math.round((step * count) / steps);
    const now = await model.predictAfter({
      sources: flips.sources.slice(0, made),
      targets: flips.targets.slice(0, made),
    });
    const before = last.predictions;
    const nodes = [...now.nodes.filter((node) => now.predictions[node] !== before[node])];
    const predictions = nodes.map((node) => now.predictions[node]);
    points.push({ flips: made, accuracy: model.accuracyOf(now), nodes, predictions });
    last = now;
  }
  return { points, last };
}
