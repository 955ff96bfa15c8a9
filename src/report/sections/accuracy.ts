import { left, right } from "../../experiment/table-column.ts";
import { type CurveRow, curves } from "../charts/curves.ts";
import { type FigureBlock, type TableBlock, text } from "../document.ts";
import type { Comparison } from "../results/findings.ts";
import { meanOfShares } from "../results/mean-interval.ts";
import { budgetCell, budgetText, counted, listed, percent, percentCell, pText } from "../words.ts";
import { budgetAxes, curvePoint } from "./budget-curves.ts";
import { firstPanels, panelName, type SectionContext, type SectionResult } from "./context.ts";

/** Accuracy over budgets: curves, the table behind them, and how significant the ranking of the models is. */
export function accuracySection(context: SectionContext): SectionResult {
  const { index, findings } = context;
  const figures = index.attacked.length > 0 ? [curvesFigure(context)] : [];
  const comparisons = [...findings.values()].some(({ models }) => models.length > 1) ? [comparisonTable(context)] : [];
  const errors =
    index.seeds.length > 1
      ? `Repeated with seeds ${listed(index.seeds.map(String))}, each of which draws another split, other initial weights and another attack.`
      : `Measured with seed ${index.seeds[0]} alone: there are no error bars, and differences may be chance.`;
  return {
    id: "accuracy",
    title: "Accuracy over budgets",
    blocks: [text(errors), ...figures, accuracyTable(context), ...comparisons],
  };
}

function curvesFigure(context: SectionContext): FigureBlock {
  const { results, index, modelStyle } = context;
  const all = curveRows(context);
  const { rows, note } = firstPanels(all);
  const drawn = curves(rows, budgetAxes(results.budgetUnit), modelStyle);
  const spread =
    index.seeds.length > 1
      ? " Points are means over seeds; bars and bands are 95% intervals of the mean (Student's t)."
      : "";
  return {
    kind: "figure",
    id: "accuracy-over-budget",
    caption: `Test accuracy on the perturbed graph over the budget of the attacker, one panel per attack.${spread}${note}`,
    alternative: curvesInWords(context),
    chart: { ...drawn, rows: all },
  };
}

/** A point for each budget, with the clean accuracy at 0. */
function curveRows(context: SectionContext): CurveRow[] {
  const { index } = context;
  return index.datasets.flatMap((dataset) =>
    index.attacks.flatMap((attack) =>
      index.models.flatMap((model) => {
        const panel = panelName(context, dataset, attack);
        const attacked = index.budgets(dataset).flatMap((budget) => {
          const runs = index.cell(dataset, model, attack, budget);
          return runs.length === 0
            ? []
            : [
                curvePoint(
                  panel,
                  model,
                  budget,
                  runs.map(({ accuracy }) => accuracy),
                ),
              ];
        });
        if (attacked.length === 0) return [];
        const clean = curvePoint(panel, model, 0, [...index.clean(dataset, model).values()]);
        return attacked.some(({ x }) => x === 0) ? attacked : [clean, ...attacked];
      }),
    ),
  );
}

function curvesInWords({ findings, results }: SectionContext): string {
  const sentences = [...findings.values()].flatMap(({ dataset, budget, models }) =>
    models.map(
      ({ model, clean, robust, attack }) =>
        `On ${dataset}, ${model} falls from ${percent(clean.mean)} to ${percent(robust.mean)} under ${attack} with ${budgetText(budget, results.budgetUnit)}.`,
    ),
  );
  return `Line charts of test accuracy over the budget. ${sentences.join(" ")}`;
}

function accuracyTable({ index, results }: SectionContext): TableBlock {
  const several = index.datasets.length > 1;
  const columns = [
    ...(several ? [left("dataset")] : []),
    left("attack"),
    right("budget"),
    ...index.models.map(right),
    right("seeds"),
  ];
  const line = (dataset: string, attack: string, budget: string, values: readonly (readonly number[])[]) => [
    ...(several ? [dataset] : []),
    attack,
    budget,
    ...values.map((ofModel) => (ofModel.length === 0 ? "" : percentCell(meanOfShares(ofModel)))),
    seedCounts(values),
  ];
  const cells = index.datasets.flatMap((dataset) => [
    line(
      dataset,
      "none",
      budgetCell(0, results.budgetUnit),
      index.models.map((model) => [...index.clean(dataset, model).values()]),
    ),
    ...index.attacks.flatMap((attack) =>
      index.budgets(dataset).flatMap((budget) => {
        const values = index.models.map((model) =>
          index.cell(dataset, model, attack, budget).map(({ accuracy }) => accuracy),
        );
        const isEmpty = values.every(({ length }) => length === 0);
        return isEmpty ? [] : [line(dataset, attack, budgetCell(budget, results.budgetUnit), values)];
      }),
    ),
  ]);
  const caption = `Test accuracy in percent, mean${index.seeds.length > 1 ? " ± standard error of the mean over seeds" : ""}.`;
  return { kind: "table", id: "accuracy-table", caption, columns, cells };
}

/** `3`, or `1–3` if models were measured with different numbers of seeds. */
function seedCounts(values: readonly (readonly number[])[]): string {
  const counts = values.map(({ length }) => length).filter((length) => length > 0);
  const fewest = Math.min(...counts);
  const most = Math.max(...counts);
  return fewest === most ? String(most) : `${fewest}–${most}`;
}

function comparisonTable({ findings, results, index }: SectionContext): TableBlock {
  const several = index.datasets.length > 1;
  const cells = [...findings.values()].flatMap(({ dataset, budget, models }) =>
    models.map(({ model, clean, robust, attack, behind }) => [
      ...(several ? [dataset] : []),
      model,
      attack,
      budgetCell(budget, results.budgetUnit),
      percentCell(clean),
      percentCell(robust),
      percentCell({ mean: clean.mean - robust.mean, standardError: null }),
      ...behindCells(behind),
    ]),
  );
  const columns = [
    ...(several ? [left("dataset")] : []),
    left("model"),
    left("strongest attack"),
    ...["budget", "clean", "attacked", "lost", "behind the best", "95% interval", "p (Holm)"].map(right),
  ];
  const caption =
    "Models by the accuracy that the attack strongest against each of them leaves, in percent. “Behind the best” compares with the first model in pairs of runs with the same seed; p-values are corrected for the number of comparisons.";
  return { kind: "table", id: "comparison-table", caption, columns, cells };
}

function behindCells(behind: Comparison | null): string[] {
  if (behind === null) return ["", "", ""];
  const { difference, interval, correctedP, pairs } = behind;
  const range = interval
    ? `${(100 * interval[0]).toFixed(1)} to ${(100 * interval[1]).toFixed(1)}`
    : counted(pairs, "pair");
  return [(100 * difference).toFixed(1), range, correctedP === null ? "unknown" : pText(correctedP).replace("= ", "")];
}
