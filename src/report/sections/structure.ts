import { beforeAfter } from "../charts/before-after.ts";
import { type CurveRow, curves } from "../charts/curves.ts";
import { type BarRow, groupedBars } from "../charts/grouped-bars.ts";
import type { FigureBlock } from "../document.ts";
import { meanOfShares } from "../results/mean-interval.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetText, percent } from "../words.ts";
import {
  firstPanels,
  NO_ATTACK,
  NO_DETAILS,
  oncePerFlips,
  panelName,
  type SectionContext,
  type SectionResult,
} from "./context.ts";
import { DEGREE_AXIS, degreeNames } from "./degree-names.ts";

/** How attacks change homophily and degrees of the graph. */
export function structureSection(context: SectionContext): SectionResult {
  const title = "The graph before and after";
  const { index } = context;
  if (index.attacked.length === 0) return { title, reason: NO_ATTACK };
  const found = oncePerFlips(index.attacked.filter(({ details }) => details?.flips));
  if (found.length === 0) return { title, reason: NO_DETAILS };
  const homophily = homophilyFigure(context, found);
  return { id: "structure", title, blocks: [...(homophily ? [homophily] : []), degreeFigure(context, found)] };
}

function homophilyFigure(context: SectionContext, found: readonly AttackedRun[]): FigureBlock | null {
  const { attackStyle, results, index } = context;
  const rows = index.datasets.flatMap((dataset): CurveRow[] => {
    const ofDataset = found.filter((run) => run.dataset === dataset);
    return [...Map.groupBy(ofDataset, ({ attack }) => attack)].flatMap(([attack, ofAttack]) => {
      const budgets = Map.groupBy(ofAttack, ({ budget }) => budget);
      const row = (x: number, values: readonly number[]): CurveRow[] => {
        if (values.length === 0) return [];
        const { mean, interval, count } = meanOfShares(values);
        const panel = index.datasets.length > 1 ? dataset : "";
        return [
          {
            panel,
            series: attack,
            x,
            mean,
            low: interval?.[0] ?? null,
            high: interval?.[1] ?? null,
            perturbations: count,
          },
        ];
      };
      const before = ofAttack[0].details?.graph.homophily ?? null;
      return [
        ...row(0, before === null ? [] : [before]),
        ...[...budgets]
          .sort(([a], [b]) => a - b)
          .flatMap(([budget, runs]) =>
            row(
              budget,
              runs.flatMap(({ details }) => details?.flips?.homophily ?? []),
            ),
          ),
      ];
    });
  });
  if (rows.length === 0) return null;
  const isShare = results.budgetUnit === "share";
  const lowest = rows.reduce((least, row) => (row.mean < least.mean ? row : least));
  const axes = {
    x: { title: isShare ? "flipped edges, share" : "flips", ...(isShare && { format: "~%" }) },
    y: { title: "edges within a class", format: "%", domain: [0, 1] as const },
  };
  return {
    kind: "figure",
    id: "homophily",
    caption: `Homophily: the share of edges that join nodes of the same class, over the budget; means over seeds with 95% intervals.`,
    alternative: `Line chart of homophily: from ${percent(rows[0].mean)} on the clean graph down to ${percent(lowest.mean)} after ${lowest.series}.`,
    chart: curves(rows, axes, attackStyle),
  };
}

function degreeFigure(context: SectionContext, found: readonly AttackedRun[]): FigureBlock {
  const { findings, results, theme } = context;
  const largest = found.filter(({ dataset, budget }) => findings.get(dataset)?.budget === budget);
  const cells = Map.groupBy(largest, ({ dataset, attack }) => panelName(context, dataset, attack));
  const all = [...cells].flatMap(([panel, runs]): BarRow[] => {
    const numBins = Math.max(...runs.map(({ details }) => details!.flips!.degrees.length));
    const numNodes = runs[0].details!.graph.numNodes;
    const mean = (valuesOf: (run: AttackedRun) => readonly number[], bin: number) =>
      runs.reduce((sum, run) => sum + (valuesOf(run)[bin] ?? 0), 0) / runs.length / numNodes;
    return degreeNames(numBins).flatMap((group, bin) => [
      { panel, group, series: "before", value: mean(({ details }) => details!.graph.degrees, bin) },
      { panel, group, series: "after", value: mean(({ details }) => details!.flips!.degrees, bin) },
    ]);
  });
  const { rows, note } = firstPanels(all);
  const budgets = [...new Set(largest.map(({ budget }) => budgetText(budget, results.budgetUnit)))].join(" or ");
  return {
    kind: "figure",
    id: "degree-distribution",
    caption: `Nodes by degree before and after each attack with a budget of ${budgets}; means over seeds.${note}`,
    alternative: `Bar charts of the share of nodes by degree, before and after each of ${cells.size} attacks.`,
    chart: {
      ...groupedBars(rows, { group: DEGREE_AXIS, value: { title: "share of nodes", format: "%" } }, beforeAfter(theme)),
      rows: all,
    },
  };
}
