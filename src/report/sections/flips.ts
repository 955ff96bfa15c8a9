import { FAR } from "../../experiment/details/steps-from.ts";
import { formatCount } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import type { LegendEntry } from "../charts/chart.ts";
import { flipMatrix, type MatrixRow } from "../charts/flip-matrix.ts";
import type { GroupAxis } from "../charts/group-axis.ts";
import { type BarRow, groupedBars } from "../charts/grouped-bars.ts";
import type { FigureBlock, TableBlock } from "../document.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetCell, budgetText, percent } from "../words.ts";
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

type Action = "added" | "removed";
const ACTIONS: readonly Action[] = ["added", "removed"];

/** Which edges attacks flip: counts, classes, degrees and distances to training nodes. */
export function flipsSection(context: SectionContext): SectionResult {
  const title = "Where the flips went";
  const { index, findings, theme, results } = context;
  if (index.attacked.length === 0) return { title, reason: NO_ATTACK };
  const counted = oncePerFlips(index.attacked.filter(({ flips }) => flips));
  const found = counted.filter(
    ({ dataset, budget, details }) => findings.get(dataset)?.budget === budget && details?.flips,
  );
  if (found.length === 0) return { title, reason: NO_DETAILS };
  const cells = Map.groupBy(found, ({ dataset, attack }) => panelName(context, dataset, attack));
  const legend: LegendEntry[] = [
    { name: "added", colour: theme.added },
    { name: "removed", colour: theme.removed },
  ];
  const budgets = [...new Set(found.map(({ budget }) => budgetText(budget, results.budgetUnit)))].join(" or ");
  const shared = { budgets, legend, cells };
  return {
    id: "flips",
    title,
    blocks: [
      countTable(context, counted),
      ...matrixFigure(context, cells, budgets),
      barFigure(shared, {
        id: "flip-degrees",
        what: "Ends of flipped pairs by the degree that they had before",
        group: DEGREE_AXIS,
        valuesOf: (run, action) => run.details!.flips![action].ends,
        namesOf: degreeNames,
      }),
      barFigure(shared, {
        id: "flip-distance",
        what: "Flips by the steps from their nearer end to the nearest training node",
        group: { title: "steps to a training node" },
        valuesOf: (run, action) => run.details!.flips![action].steps,
        namesOf: () => Array.from({ length: FAR + 1 }, (_, k) => (k === FAR ? `${FAR} or more` : String(k))),
      }),
    ],
  };
}

function countTable({ index, results }: SectionContext, runs: readonly AttackedRun[]): TableBlock {
  const several = index.datasets.length > 1;
  const cells = Map.groupBy(runs, ({ dataset, attack, budget }) => JSON.stringify([dataset, attack, budget]));
  const mean = (values: readonly number[]) =>
    formatCount(Math.round(values.reduce((sum, value) => sum + value, 0) / values.length));
  const lines = [...cells.values()].map((ofCell) => [
    ...(several ? [ofCell[0].dataset] : []),
    ofCell[0].attack,
    budgetCell(ofCell[0].budget, results.budgetUnit),
    mean(ofCell.map(({ flips }) => flips!.added)),
    mean(ofCell.map(({ flips }) => flips!.removed)),
    String(ofCell.length),
  ]);
  return {
    kind: "table",
    id: "flip-counts",
    caption: "Edges that each attack adds and removes, on average over its perturbations.",
    columns: [
      ...(several ? [left("dataset")] : []),
      left("attack"),
      ...["budget", "added", "removed", "perturbations"].map(right),
    ],
    cells: lines,
  };
}

type Cells = ReadonlyMap<string, readonly AttackedRun[]>;

/** A figure for each dataset, because classes differ; none for datasets with too many classes. */
function matrixFigure(context: SectionContext, cells: Cells, budgets: string): FigureBlock[] {
  const datasets = Map.groupBy(cells, ([, runs]) => runs[0].dataset);
  return [...datasets].flatMap(([dataset, panels], k) => {
    const { classes, numClasses, directed } = panels[0][1][0].details!.graph;
    if (classes === null) return [];
    const all = panels.flatMap(([panel, runs]) =>
      ACTIONS.flatMap((action) => matrixRows(panel, action, runs, { classes, numClasses, directed })),
    );
    const { rows, note } = firstPanels(all);
    const most = all.reduce((first, row) => (row.share > first.share ? row : first), all[0]);
    if (!most) return [];
    return [
      {
        kind: "figure",
        id: k === 0 ? "flip-classes" : `flip-classes-${k + 1}`,
        caption: `Classes that flips join or part on ${dataset}, with a budget of ${budgets}: share of the added or removed edges, all seeds together.${directed ? "" : " Each pair of classes is shown once."}${note}`,
        alternative: `Matrices of flips by class. The most frequent: ${most.panel} between class ${most.row} and class ${most.column}, ${percent(most.share, 0)}.`,
        chart: { ...flipMatrix(rows, classes, context.theme), rows: all },
      },
    ];
  });
}

function matrixRows(
  attack: string,
  action: Action,
  runs: readonly AttackedRun[],
  { classes, numClasses, directed }: { classes: readonly string[]; numClasses: number; directed: boolean },
): MatrixRow[] {
  const sums = new Array<number>(numClasses ** 2).fill(0);
  for (const { details } of runs) {
    for (const [k, value] of (details!.flips![action].byClass ?? []).entries()) sums[k] += value;
  }
  const total = sums.reduce((sum, value) => sum + value, 0);
  if (total === 0) return [];
  const panel = `${attack}: ${formatCount(total)} ${action}`;
  return sums.flatMap((flips, k) => {
    const row = Math.floor(k / numClasses);
    const column = k % numClasses;
    if (!directed && row > column) return [];
    return [{ panel, action, row: classes[row], column: classes[column], flips, share: flips / total }];
  });
}

interface BarChoice {
  readonly id: string;
  readonly what: string;
  readonly group: GroupAxis;
  readonly valuesOf: (run: AttackedRun, action: Action) => readonly number[];
  readonly namesOf: (numGroups: number) => readonly string[];
}

function barFigure(
  { budgets, legend, cells }: { budgets: string; legend: readonly LegendEntry[]; cells: Cells },
  { id, what, group, valuesOf, namesOf }: BarChoice,
): FigureBlock {
  const all = [...cells].flatMap(([panel, runs]): BarRow[] => {
    const numGroups = Math.max(...runs.flatMap((run) => ACTIONS.map((action) => valuesOf(run, action).length)));
    return ACTIONS.flatMap((action) => {
      const total = runs.reduce((sum, run) => sum + valuesOf(run, action).reduce((a, b) => a + b, 0), 0);
      if (total === 0) return [];
      return namesOf(numGroups).map((name, k) => {
        const ofGroup = runs.reduce((sum, run) => sum + (valuesOf(run, action)[k] ?? 0), 0);
        return { panel, group: name, series: action, value: ofGroup / total };
      });
    });
  });
  const { rows, note } = firstPanels(all);
  const most = all.reduce((first, row) => (row.value > first.value ? row : first), all[0]);
  return {
    kind: "figure",
    id,
    caption: `${what}, as a share of the added and of the removed edges, with a budget of ${budgets}.${note}`,
    alternative: `Bar charts. ${what}: the largest share, ${percent(most.value, 0)}, is that of ${most.group} among edges ${most.series} by ${most.panel}.`,
    chart: { ...groupedBars(rows, { group, value: { title: "share", format: "%" } }, legend), rows: all },
  };
}
