import type { Agreement } from "../agreement.ts";
import { GRADIENT_PAIRS, TOP_SHARE } from "../measure/gradient-agreement.ts";
import type { NamedOptions } from "../study/study.ts";
import { left, right } from "../table-column.ts";
import { type Experiment, experimentOf, plain } from "./experiment.ts";
import { type Choice, PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import type { MeasuredRun, Results } from "./results.ts";

const MODELS = ["gdc", "soft-median-gdc"];
/** Tolerances of push; PubMed's is the middle one. */
const TOLERANCES = [1e-3, 1e-4, 1e-5];
/** The tolerance that whole attacks are compared at, and their budgets. */
const ATTACKED_WITH = 1e-4;
const EPSILONS = [0.05, 0.1];
const ATTACK = { preset: "paper", blockSize: 100_000, epochs: 150, fineTuneEpochs: 30 };

/** How close the gradient through push is to the exact one, and how strong the attack that follows it. */
export const pushGradient: Reproduction = {
  title: "The gradient through push beside the exact one",
  datasets: ["cora_ml", "citeseer"],
  seeds: PUBLISHED_SEEDS,
  experiments: (choice) =>
    comparisonsOf(choice).flatMap((comparison) =>
      comparison.kind === "attack" ? [comparison.exact, comparison.push] : [comparison.agreement],
    ),
  report: (choice, results) => report(rowsOf(choice, results)),
};

/** What a row of the report compares. */
type Comparison = {
  readonly dataset: string;
  readonly model: string;
  readonly what: string;
  readonly tolerance: number;
} & (
  | { readonly kind: "attack"; readonly exact: Experiment; readonly push: Experiment }
  | { readonly kind: "gradient"; readonly agreement: Experiment }
);

function comparisonsOf({ datasets }: Pick<Choice, "datasets">): Comparison[] {
  return datasets.flatMap((dataset) =>
    MODELS.flatMap((model) => [...attacksOn(dataset, model), ...gradientsOf(dataset, model)]),
  );
}

/** Attacks that follow either gradient, evaluated on the model with exact PageRank. */
function attacksOn(dataset: string, model: string): Comparison[] {
  return EPSILONS.map((epsilon) => {
    const exact = { dataset, model: plain(model), attack: { name: "prbcd", options: ATTACK }, epsilon };
    return {
      kind: "attack",
      dataset,
      model,
      what: `attack, epsilon ${epsilon}`,
      tolerance: ATTACKED_WITH,
      exact: experimentOf(exact),
      push: experimentOf({ ...exact, surrogate: throughPush(model, ATTACKED_WITH) }),
    };
  });
}

/** Gradients on the clean graph, and after flips that were found on the exact model. */
function gradientsOf(dataset: string, model: string): Comparison[] {
  const [epsilon] = EPSILONS;
  const places = {
    "clean graph": {},
    [`after ${epsilon} flips`]: { attack: { name: "prbcd", options: ATTACK }, epsilon, surrogate: plain(model) },
  };
  return Object.entries(places).flatMap(([where, flips]) =>
    TOLERANCES.map(
      (tolerance): Comparison => ({
        kind: "gradient",
        dataset,
        model,
        what: `gradient, ${where}`,
        tolerance,
        agreement: experimentOf({
          dataset,
          model: throughPush(model, tolerance),
          quantity: "gradient-agreement",
          ...flips,
        }),
      }),
    ),
  );
}

/** The model with the same weights and PageRank by push. */
function throughPush(name: string, tolerance: number): NamedOptions {
  return { name, options: { method: "push", epsilon: tolerance }, trainedWith: {} };
}

interface Row extends Pick<Comparison, "dataset" | "model" | "what" | "tolerance"> {
  readonly seed: number;
  /** Agreement of gradients, or accuracies of the exact model after attacks by each gradient. */
  readonly values: Partial<Agreement & { readonly exact: number; readonly push: number }>;
}

/** One row for each comparison and seed that was measured. */
function rowsOf({ datasets, seeds }: Choice, results: Results): Row[] {
  const byPlace = datasets.flatMap((dataset) =>
    seeds.map((seed) => ({ seed, comparisons: comparisonsOf({ datasets: [dataset] }) })),
  );
  return byPlace.flatMap(({ seed, comparisons }) =>
    comparisons.flatMap((comparison) => {
      const { dataset, model, what, tolerance } = comparison;
      const values = valuesOf(comparison, (experiment) => results.get(experiment, seed));
      return values ? [{ dataset, seed, model, what, tolerance, values }] : [];
    }),
  );
}

function valuesOf(
  comparison: Comparison,
  measured: (experiment: Experiment) => MeasuredRun | undefined,
): Row["values"] | null {
  if (comparison.kind === "gradient")
    return (measured(comparison.agreement)?.result["agreement"] as Agreement | undefined) ?? null;
  const exact = measured(comparison.exact);
  const push = measured(comparison.push);
  return exact && push ? { exact: exact.value, push: push.value } : null;
}

function report(rows: readonly Row[]): Report {
  const cell = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));
  return {
    rows,
    columns: [
      left("dataset"),
      right("seed"),
      left("model"),
      left("what"),
      right("push tolerance"),
      right("cosine"),
      right("rank correlation"),
      right("top 1 %"),
      right("accuracy, exact"),
      right("accuracy, push"),
    ],
    cells: rows.map(({ dataset, seed, model, what, tolerance, values }) => [
      dataset,
      String(seed),
      model,
      what,
      tolerance.toExponential(),
      cell(values.cosine),
      cell(values.rankCorrelation),
      cell(values.topOverlap),
      cell(values.exact),
      cell(values.push),
    ]),
    note: `Gradients of the tanh margin by ${GRADIENT_PAIRS} random pairs, through exact PageRank and through push, for the same
weights: cosine, Spearman's correlation, and the share of the largest ${100 * TOP_SHARE} % that both name. And accuracy of the model with exact
PageRank after PR-BCD (${ATTACK.epochs} epochs, ${ATTACK.blockSize} pairs) has followed either gradient.`,
  };
}
