import { check } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import type { LoadedGraph } from "../../data/preprocess.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import { loadGraph } from "../../files/load.ts";
import { type OpenedSplit, openSplit } from "../opened-split.ts";
import type { PlannedRun } from "../store/store.ts";
import { canonicalJson, contentId } from "./canonical-json.ts";
import { certifiedCell } from "./certified-cell.ts";
import { codeFor } from "./code-of-cell.ts";
import { describeAttacks } from "./describe-attacks.ts";
import { describeModel } from "./describe-model.ts";
import { loadedGraph, type PlannedGraph } from "./planned-graph.ts";
import { attackedModel, type CellDescription, modelId, type Quantity, runId, workId } from "./run-description.ts";
import type { DatasetChoice, Study, StudyPart } from "./study.ts";

/** Where graphs are looked for. */
export interface PlanOptions {
  readonly dataDir?: string;
}

/** The runs of a study. */
export interface Plan {
  readonly study: string;
  readonly runs: readonly PlannedRun[];
  /** Ids of the runs that each part asks for; parts may ask for the same. */
  readonly ofParts: readonly (readonly string[])[];
  /** Nodes of the largest graph. */
  readonly largestGraph: number;
}

/**
 * The runs of a study, in the order in which they are best done: those that share a graph, a seed and a trained model one after the
 * other. Loads every graph, so that budgets and names of classes are checked before anything is measured.
 */
export async function planStudy(study: Study, options: PlanOptions = {}): Promise<Plan> {
  const runs = new Map<string, PlacedRun>(); // a run that several parts ask for is done once
  const graphs = new Map<string, OpenedForPlan>();
  const ofParts = study.parts.map((): string[] => []);
  for (const [k, part] of study.parts.entries()) {
    for (const choice of part.datasets) {
      const key = canonicalJson(choice as unknown as Json);
      const opened = graphs.get(key) ?? (await openForPlan(choice, options));
      graphs.set(key, opened);
      for (const run of runsOn(part, opened)) {
        ofParts[k].push(run.id);
        if (!runs.has(run.id)) runs.set(run.id, { ...run, place: key });
      }
    }
  }
  const sizes = [...graphs.values()].map(({ loaded }) => loaded.graph.numNodes);
  return { study: study.name, runs: inOrder([...runs.values()]), ofParts, largestGraph: Math.max(0, ...sizes) };
}

/** The same plan with a hash of its runs in the name: another choice of runs is another study. */
export function namedByContent(plan: Plan): Plan {
  return { ...plan, study: `${plan.study} ${contentId(plan.runs.map(({ id }) => id)).slice(0, 8)}` };
}

/** A run and the graph that it is planned on. */
type PlacedRun = PlannedRun & { readonly place: string };

/** A loaded graph with its splits. */
interface OpenedForPlan {
  readonly loaded: LoadedGraph;
  readonly graph: PlannedGraph;
  readonly splits: Map<string | null, OpenedSplit>;
}

async function openForPlan(choice: DatasetChoice, options: PlanOptions): Promise<OpenedForPlan> {
  const loaded = await loadGraph(choice.dataset, { ...choice, ...options });
  return { loaded, graph: loadedGraph(choice, loaded), splits: new Map() };
}

/** The runs of a part on one graph. */
function runsOn(part: StudyPart, { loaded, graph, splits }: OpenedForPlan): PlannedRun[] {
  return (part.splits ?? [null]).flatMap((split) => {
    const source = splits.get(split) ?? openSplit(loaded, split === null ? undefined : parseSplitChoice(split));
    splits.set(split, source);
    const cells = cellsOf(part, graph, split);
    return part.seeds.flatMap((seed) => cells.map((cell) => plannedRun(cell, seed, source.facts(seed).sha256)));
  });
}

function plannedRun({ cell, sharesBudgets }: PlannedCell, seed: number, splitHash: string): PlannedRun {
  const description = { cell, seed, splitHash };
  return {
    id: runId(description),
    description,
    work: workId(description, sharesBudgets),
    batch: modelId(description, attackedModel(description)),
  };
}

/**
 * Orders runs so that those of the same graph, seed and device follow each other, and within them those of the same
 * batch.
 */
function inOrder(runs: readonly PlacedRun[]): PlannedRun[] {
  const byPlace = groups(runs, ({ place, description: { seed, cell } }) => `${cell.device} ${seed} ${place}`);
  return byPlace.flatMap((place) => groups(place, ({ batch }) => batch).flat()).map(({ place: _, ...run }) => run);
}

/** Groups items by key, in the order of their first items. */
function groups<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group) group.push(item);
    else found.set(key, [item]);
  }
  return [...found.values()];
}

/** A cell, and whether its budgets share work. */
export interface PlannedCell {
  readonly cell: CellDescription;
  readonly sharesBudgets: boolean;
}

/** Every combination of what a part lists, on one graph with one kind of split. */
export function cellsOf(part: StudyPart, graph: PlannedGraph, split: string | null): PlannedCell[] {
  const { devices = ["cpu"], times = ["evasion"], trainedOn, quantity } = part;
  const measuredClean = quantity ?? "accuracy";
  return devices.flatMap((device) =>
    part.models.flatMap((each) => {
      const model = describeModel(each, graph.name);
      const clean: CellDescription = {
        graph: graph.description,
        split,
        model,
        attack: null,
        time: "evasion",
        nodes: "test",
        quantity: measuredClean,
        device,
        ...(trainedOn !== undefined && trainedOn !== device && { trainedOn }),
        code: codeFor({ device, quantity: measuredClean, ...(trainedOn !== undefined && { trainedOn }) }),
      };
      const { certificates = [] } = part;
      if (certificates.length > 0) {
        return certificates.map((certificate) => ({ cell: certifiedCell(clean, certificate), sharesBudgets: false }));
      }
      if ((part.attacks ?? []).length === 0) return [{ cell: clean, sharesBudgets: false }];
      const attacks = describeAttacks(part, model, graph);
      return times.flatMap((time) =>
        attacks.map(({ attack, nodes, sharesBudgets }): PlannedCell => {
          const measured: Quantity = quantity ?? (nodes === "test" ? "accuracy" : "success-rate");
          check(
            (measured === "success-rate") === (nodes !== "test"),
            () => `${attack.name} has no ${measured}; leave out what is measured`,
          );
          return { cell: { ...clean, attack, nodes, time, quantity: measured }, sharesBudgets };
        }),
      );
    }),
  );
}
