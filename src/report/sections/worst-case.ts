import { left, right } from "../../experiment/table-column.ts";
import { curves } from "../charts/curves.ts";
import { type FigureBlock, type TableBlock, text } from "../document.ts";
import { mean } from "../results/mean.ts";
import { meanOfShares } from "../results/mean-interval.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetCell, budgetText, percent, percentCell } from "../words.ts";
import { budgetAxes, curvePoint } from "./budget-curves.ts";
import { firstPanels, type SectionContext, type SectionResult } from "./context.ts";

/** A model under the attack that leaves the least accuracy with a budget. */
interface WorstCase {
  readonly dataset: string;
  readonly model: string;
  readonly budget: number;
  readonly attack: string;
  /** One per seed. */
  readonly accuracies: readonly number[];
}

/** Accuracy of each model under the strongest attack, by budget. Null if there are fewer than two attacks. */
export function worstCaseSection(context: SectionContext): SectionResult | null {
  if (context.index.attacks.length < 2) return null;
  const cases = worstCases(context);
  const explanation =
    "For each model and budget, the attack that leaves least of the model on average over seeds; flips that a smaller budget allows count as well. Where " +
    "a model was met only by flips that were found on others, a stronger attack may exist.";
  return {
    id: "worst-case",
    title: "Accuracy under the strongest attack",
    blocks: [text(explanation), worstFigure(context, cases), worstTable(context, cases)],
  };
}

function worstCases({ index }: SectionContext): WorstCase[] {
  return index.datasets.flatMap((dataset) =>
    index.models.flatMap((model) => {
      const runs = index.attacked.filter((run) => run.dataset === dataset && run.model === model);
      return index.budgets(dataset).flatMap((budget) => {
        const strongest = strongestOf(runs.filter((run) => run.budget <= budget));
        if (strongest === null) return [];
        const accuracies = strongest.map((run) => run.accuracy);
        return [{ dataset, model, budget, attack: strongest[0].attack, accuracies }];
      });
    }),
  );
}

/** Groups runs into experiments and returns the runs of the one with the lowest mean accuracy. */
function strongestOf(runs: readonly AttackedRun[]): readonly AttackedRun[] | null {
  const experiments = [...Map.groupBy(runs, ({ attack, budget }) => `${attack} ${budget}`).values()];
  const meanOf = (ofOne: readonly AttackedRun[]) => mean(ofOne.map(({ accuracy }) => accuracy));
  return experiments.sort((a, b) => meanOf(a) - meanOf(b))[0] ?? null;
}

function worstFigure(context: SectionContext, cases: readonly WorstCase[]): FigureBlock {
  const { index, results, modelStyle } = context;
  const clean = index.datasets.flatMap((dataset) =>
    index.models.flatMap((model) => {
      const accuracies = [...index.clean(dataset, model).values()];
      return accuracies.length === 0 ? [] : [curvePoint(dataset, model, 0, accuracies)];
    }),
  );
  const attacked = cases.map(({ dataset, model, budget, accuracies }) =>
    curvePoint(dataset, model, budget, accuracies),
  );
  const { rows, note } = firstPanels([...clean, ...attacked]);
  return {
    kind: "figure",
    id: "worst-case-curves",
    caption: `Test accuracy under the strongest attack over its budget, one panel per graph.${note}`,
    alternative: worstInWords(context, cases),
    chart: { ...curves(rows, budgetAxes(results.budgetUnit), modelStyle), rows: [...clean, ...attacked] },
  };
}

function worstInWords({ index, results }: SectionContext, cases: readonly WorstCase[]): string {
  const sentences = index.datasets.flatMap((dataset) => {
    const ofDataset = cases.filter((each) => each.dataset === dataset);
    const budget = Math.max(...ofDataset.map((each) => each.budget));
    const last = ofDataset
      .filter((each) => each.budget === budget)
      .sort((a, b) => mean(b.accuracies) - mean(a.accuracies));
    if (last.length === 0) return [];
    const kept = last.map(({ model, accuracies }) => `${model} ${percent(mean(accuracies))}`).join(", ");
    return [`On ${dataset}, with ${budgetText(budget, results.budgetUnit)}: ${kept}.`];
  });
  return `Line charts of test accuracy under the strongest attack. ${sentences.join(" ")}`;
}

function worstTable({ index, results }: SectionContext, cases: readonly WorstCase[]): TableBlock {
  const several = index.datasets.length > 1;
  const budgets = [...new Set(cases.map(({ budget }) => budget))].sort((a, b) => a - b);
  const cells = index.datasets.flatMap((dataset) =>
    index.models.flatMap((model) => {
      const own = cases.filter((each) => each.dataset === dataset && each.model === model);
      if (own.length === 0) return [];
      const at = (budget: number) => own.find((each) => each.budget === budget);
      return [
        [
          ...(several ? [dataset] : []),
          model,
          percentCell(meanOfShares([...index.clean(dataset, model).values()])),
          ...budgets.map((budget) => (at(budget) ? percentCell(meanOfShares(at(budget)!.accuracies)) : "")),
          own.at(-1)!.attack,
        ],
      ];
    }),
  );
  const columns = [
    ...(several ? [left("dataset")] : []),
    left("model"),
    right("clean"),
    ...budgets.map((budget) => right(budgetCell(budget, results.budgetUnit))),
    left("strongest at the largest budget"),
  ];
  const caption = `Test accuracy in percent that the strongest attack leaves, by budget${index.seeds.length > 1 ? "; mean ± standard error over seeds" : ""}.`;
  return { kind: "table", id: "worst-case-table", caption, columns, cells };
}
