import { localAttacks } from "../../attack/local/local-attacks.ts";
import { textOf } from "../../core/options/index.ts";
import type { Split } from "../../data/splits.ts";
import type { Graph, GraphParts } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import { encodeWeights } from "../../nn/weights/weights.ts";
import type { NodeAttack, NodeWork } from "../attack-in-turn.ts";
import { type NodeAttackChoice, surrogateOf } from "../node-attack-choice.ts";
import type { NamedChoice } from "../trained-model.ts";
import { shareGraph } from "./shared-graph.ts";

/** An attack on single nodes, in a form that can be sent to threads: numbers, texts and arrays. */
export interface NodeJob {
  readonly dataset: string;
  readonly graph: GraphParts;
  /** To train the victim anew on perturbed graphs. */
  readonly split: Split;
  readonly choice: NamedChoice<Omit<NodeAttackChoice, "options">>;
  /** Options of the attack, as the command line takes them. */
  readonly options: Readonly<Record<string, string>>;
  /** Saved weights. */
  readonly victim: Uint8Array;
  /** Null if flips are found on the victim. */
  readonly surrogate: Uint8Array | null;
  readonly work: NodeWork;
}

/** What `textOf` calls a function that has no name. */
const UNNAMED = "custom";

/** The job of an attack; null if one of its options is a custom function, which cannot be sent to threads. */
export async function nodeJob(attack: NodeAttack, work: NodeWork): Promise<NodeJob | null> {
  const { opened, victim, surrogate } = attack;
  const { options: given = {}, ...choice } = attack.choice;
  const options = optionTexts(choice.attack, given);
  if (!options) return null;
  const { graph } = opened;
  return {
    dataset: opened.dataset,
    graph: shareGraph(graph),
    split: opened.split(choice.seed),
    choice,
    options,
    victim: await weightsOf(victim, choice.model, graph),
    surrogate: surrogate === victim ? null : await weightsOf(surrogate, surrogateOf(choice), graph),
    work: { ...work, nodes: Int32Array.from(work.nodes) },
  };
}

function optionTexts(attack: string, given: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const described = localAttacks[attack].options;
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const text = textOf(described[name], value);
    if (typeof value === "function" && text === UNNAMED) return null;
    texts[name] = text;
  }
  return texts;
}

function weightsOf(model: Model, kind: string, { numFeatures, numClasses }: Graph): Promise<Uint8Array> {
  return encodeWeights(model, { kind, sizes: { features: numFeatures, classes: numClasses } });
}
