import { UserError } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import type { RunDetails } from "../../experiment/details/run-details.ts";
import type { SplitFacts } from "../../experiment/opened-split.ts";
import { allFinished } from "../../experiment/results/all-finished.ts";
import { checkStudy } from "../../experiment/results/known-values.ts";
import { NewestRuns } from "../../experiment/results/newest-runs.ts";
import type { FinishedRun, RunFilter, RunStore } from "../../experiment/store/store.ts";
import type { CellDescription, Quantity } from "../../experiment/study/run-description.ts";
import { labelRuns } from "./label-runs.ts";
import type { AttackCosts, MeasuredRun } from "./measured-run.ts";
import type { StudyResults } from "./study-results.ts";

/** The named study. If none is named: the only study of the store, or null (all runs) if the store has no studies. */
export async function chooseStudy(store: RunStore, named: string | undefined): Promise<string | null> {
  if (named !== undefined) {
    await checkStudy(store, named);
    return named;
  }
  const studies = (await store.studies()).map(({ name }) => name);
  const known = studies.map((name) => JSON.stringify(name)).join(", ");
  if (studies.length > 1) throw new UserError(`${store.name}: has several studies; name one of ${known}`);
  return studies[0] ?? null;
}

/** Reads the results of a study, or of all runs of a store. Throws if no run is done. */
export async function readResults(store: RunStore, study: string | null): Promise<StudyResults> {
  const filter: RunFilter = study === null ? {} : { study };
  const finished: FinishedRun[] = [];
  const newest = new NewestRuns();
  for await (const run of allFinished(store, filter)) {
    finished.push(run);
    newest.add(run);
  }
  const { waiting, running, failed } = await store.count(filter);
  const what = study === null ? store.name : `${store.name}: study ${JSON.stringify(study)}`;
  const open = waiting + running + failed;
  const why =
    open > 0 ? `none of its ${open} runs is done (${failed} failed); rgnn run goes on with it` : "holds no results";
  if (finished.length === 0) throw new UserError(`${what}: ${why}`);
  const kept = finished.filter((run) => !newest.isReplaced(run));
  const { runs, budgetUnit } = measured(kept);
  const newestRuns = newestOfEach(runs);
  const failures = await store.list({ ...filter, state: ["failed"] });
  return {
    study,
    store: store.name,
    runs: newestRuns,
    budgetUnit,
    missing: {
      waiting: waiting + running,
      failed: failures.map(({ id, model, attack, seed, error, attempts }) => ({
        run: `${model}, ${attack}, seed ${seed} (${id.slice(0, 8)})`,
        error: error ?? "",
        attempts,
      })),
    },
    outdated: finished.length - kept.length,
    superseded: runs.length - newestRuns.length,
  };
}

function measured(runs: readonly FinishedRun[]): Pick<StudyResults, "runs" | "budgetUnit"> {
  const labels = labelRuns(runs.map(({ description }) => description));
  const isShare = runs.every(
    ({ description: { cell } }) => quantityOf(cell) !== "accuracy" || cell.attack?.epsilon !== null,
  );
  const all = runs.map((run, k): MeasuredRun => {
    const { attack } = run.description.cell;
    const quantity = quantityOf(run.description.cell);
    const isOther = quantity !== "accuracy"; // its budgets have their own unit
    const { value, clean, seconds, peakBytes } = run.outcome;
    return {
      id: run.id,
      description: run.description,
      ...labels[k],
      budget: (isShare || isOther ? attack?.epsilon : null) ?? attack?.budget ?? 0,
      seed: run.description.seed,
      quantity,
      value,
      accuracy: isOther ? clean : value,
      clean,
      seconds,
      peakBytes,
      finishedAt: run.finishedAt,
      ...kept(run.outcome.result),
    };
  });
  return { runs: all, budgetUnit: isShare ? "share" : "flips" };
}

/** Of runs with the same labels in a report, the newest: the others would seem to repeat the same seed. */
function newestOfEach(runs: readonly MeasuredRun[]): MeasuredRun[] {
  const alike = Map.groupBy(runs, ({ dataset, model, attack, attackedModel, quantity, budget, seed, description }) => {
    const { certificate, attack: how } = description.cell;
    return JSON.stringify([dataset, model, attack, attackedModel, quantity, budget, how?.epsilon, seed, certificate]);
  });
  const newest = new Set(
    [...alike.values()].map((same) => same.reduce((a, b) => (b.finishedAt >= a.finishedAt ? b : a))),
  );
  return runs.filter((run) => newest.has(run));
}

/** Descriptions of earlier versions have no quantity, because only accuracy was measured. */
function quantityOf({ quantity }: Partial<CellDescription>): Quantity {
  return quantity ?? "accuracy";
}

/** The data that was kept with a result; earlier versions of the code kept less. */
function kept(result: Json): Pick<MeasuredRun, "nodes" | "flips" | "attackCost" | "split" | "facts" | "details"> {
  const known = (typeof result === "object" && result !== null ? result : {}) as Partial<KeptResult>;
  const facts = Object.entries(known.facts ?? {}).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return {
    nodes: known.nodes ?? null,
    flips: known.flips ?? null,
    attackCost: known.attack ?? null,
    split: known.split ?? null,
    facts: Object.fromEntries(facts),
    details: known.details ?? null,
  };
}

interface KeptResult {
  readonly nodes: MeasuredRun["nodes"];
  readonly flips: MeasuredRun["flips"];
  readonly attack: AttackCosts;
  readonly split: SplitFacts;
  readonly facts: Readonly<Record<string, Json>>;
  readonly details: RunDetails;
}
