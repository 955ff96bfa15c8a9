import { check } from "../core/errors.ts";
import type { Collection, CollectionEntry } from "../files/collection/collection.ts";
import { graphHash } from "../files/graph-hash.ts";
import { checkFlips, type Flips } from "../graph/flips.ts";
import { countLabelled, type EvaluateChoice, shareCorrect, withModel } from "./run-evaluate.ts";
import type { Session } from "./session.ts";
import type { RunWatch } from "./trained-model.ts";

/** What `rgnn evaluate --collection` reports. */
export interface CollectionReport {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  readonly device: string;
  /** Labelled nodes that the accuracy is about. */
  readonly numNodes: number;
  /** `worst`: on the clean graph, and after the strongest flips of each budget. */
  readonly accuracy: { readonly clean: number; readonly worst: readonly WorstCase[] };
  readonly entries: readonly EntryOutcome[];
}

/** The lowest accuracy that the flips of one budget leave. */
export interface WorstCase {
  readonly budget: number;
  readonly accuracy: number;
}

/** What the flips of one entry do to the model at hand. */
export interface EntryOutcome {
  readonly budget: number;
  readonly numFlips: number;
  /** The model that the flips were evaluated on when they were found, and its accuracy then. */
  readonly foundOn: string;
  readonly accuracyThere: number;
  readonly attack: string;
  readonly accuracy: number;
}

/** Opens or trains a model and evaluates it after all flips of a collection that fit the graph and the split of the session. */
export async function runCollection(
  session: Session,
  given: Omit<EvaluateChoice, "flips">,
  collection: Collection & { readonly name: string },
  watch: RunWatch = {},
): Promise<CollectionReport> {
  const fitting = fittingEntries(session, given.seed, collection);
  const flips = fitting.map((entry) => flipsOn(session, entry, collection.name));
  const { nodes, seed } = given;
  const labels = session.labelsOf(nodes);
  const labelled = countLabelled(labels);
  return withModel(session, given, watch, async (predict, model) => {
    const clean = shareCorrect(await predict(), labels);
    const entries: EntryOutcome[] = [];
    for (const [k, entry] of fitting.entries()) {
      const accuracy = shareCorrect(await predict(flips[k]), labels);
      entries.push(outcomeOf(entry, accuracy));
      watch.progress?.update(k + 1, fitting.length, `${entry.budget} flips: accuracy ${accuracy.toFixed(4)}`);
    }
    const { dataset, device } = session;
    const accuracy = { clean, worst: worstCases(entries) };
    return { dataset, model, seed, device, numNodes: labelled, accuracy, entries };
  });
}

/** The lowest accuracy of each budget, by ascending budget. */
export function worstCases(entries: readonly Pick<EntryOutcome, "budget" | "accuracy">[]): WorstCase[] {
  const lowest = new Map<number, number>();
  for (const { budget, accuracy } of entries) {
    lowest.set(budget, Math.min(accuracy, lowest.get(budget) ?? Number.POSITIVE_INFINITY));
  }
  return [...lowest].sort(([a], [b]) => a - b).map(([budget, accuracy]) => ({ budget, accuracy }));
}

function outcomeOf({ budget, flips, model, accuracy, attack }: CollectionEntry, here: number): EntryOutcome {
  return {
    budget,
    numFlips: flips.length,
    foundOn: model,
    accuracyThere: accuracy.adversarial,
    attack,
    accuracy: here,
  };
}

/** The entries for this graph and split. If there are none, throws an error that lists what the collection has. */
function fittingEntries(
  session: Session,
  seed: number,
  { entries, name }: Collection & { readonly name: string },
): CollectionEntry[] {
  const graph = graphHash(session.graph, session);
  const split = session.splitFacts(seed);
  const ofGraph = entries.filter((entry) => entry.graph.sha256 === graph);
  const fitting = ofGraph.filter((entry) => entry.split.sha256 === split.sha256);
  const { dataset } = session;
  check(ofGraph.length > 0, () => `collection ${name}: none of its flips fit ${dataset}; ${contents(entries)}`);
  check(fitting.length > 0, () => {
    const others = distinct(ofGraph.map((entry) => `--split ${entry.split.name} --seed ${entry.split.seed}`));
    return `collection ${name}: has flips for ${dataset}, but not for the test nodes of split ${split.name}, seed ${seed}; give ${others.join(" or ")}`;
  });
  return fitting;
}

function contents(entries: readonly CollectionEntry[]): string {
  if (entries.length === 0) return "it is empty; fill it with rgnn attack --save-collection";
  const graphs = distinct(entries.map(({ graph }) => `${graph.name} (sha256 ${graph.sha256.slice(0, 12)}…)`));
  return `it holds flips for ${graphs.join(", ")}`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Flips of an entry as nodes of this graph, whose numbering may differ from the graph they were found on. */
function flipsOn({ graph, ids }: Session, entry: CollectionEntry, name: string): Flips {
  const pairs = entry.flips.map(([a, b]) => {
    const i = ids.nodeOf(a);
    const j = ids.nodeOf(b);
    return graph.directed || i < j ? [i, j] : [j, i];
  });
  const flips = { sources: Int32Array.from(pairs, ([i]) => i), targets: Int32Array.from(pairs, ([, j]) => j) };
  try {
    checkFlips(graph, flips);
  } catch (error) {
    check(false, () => `collection ${name}: flips with budget ${entry.budget}: ${(error as Error).message}`);
  }
  return flips;
}
