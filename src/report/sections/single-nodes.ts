import { fiveNumbers } from "../../experiment/details/five-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { type BoxRow, marginBoxes } from "../charts/margin-boxes.ts";
import type { FigureBlock, Section, TableBlock } from "../document.ts";
import { mean } from "../results/mean.ts";
import { meanOfShares } from "../results/mean-interval.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { nodeBudget, percentCell, seconds } from "../words.ts";
import { firstPanels, panelName, type SectionContext } from "./context.ts";
import { boxesInWords } from "./margins.ts";

/** Attacks on single nodes; null if there are none. */
export function singleNodesSection(context: SectionContext): Section | null {
  if (context.index.nodeAttacks.length === 0) return null;
  const figure = marginFigure(context);
  const blocks = [successTable(context), ...(figure ? [figure] : [])];
  return { id: "single-nodes", title: "Attacks on single nodes", blocks };
}

/** Groups attacks on single nodes into repetitions of the same experiment. */
export function nodeCells(runs: readonly AttackedRun[]): AttackedRun[][] {
  const keyOf = ({ dataset, model, attack, description }: AttackedRun) => {
    const { epsilon, budget } = description.cell.attack!;
    return JSON.stringify([dataset, model, attack, epsilon, budget]);
  };
  return [...Map.groupBy(runs, keyOf).values()];
}

function successTable({ index }: SectionContext): TableBlock {
  const several = index.datasets.length > 1;
  const cells = nodeCells(index.nodeAttacks).map((runs) => [
    ...(several ? [runs[0].dataset] : []),
    runs[0].model,
    runs[0].attack,
    nodeBudget(runs[0]),
    percentCell(meanOfShares(runs.map(({ value }) => value))),
    String(Math.round(mean(runs.map(({ nodes }) => nodes?.length ?? 0)))),
    seconds(mean(runs.map(({ attackCost }) => attackCost?.seconds ?? 0))),
    String(runs.length),
  ]);
  return {
    kind: "table",
    id: "success-table",
    caption:
      "Nodes, in percent, whose prediction an attack on each of them alone makes wrong: mean ± standard error over seeds.",
    columns: [
      ...(several ? [left("dataset")] : []),
      left("model"),
      left("attack"),
      ...["budget of a node", "success", "nodes", "time", "seeds"].map(right),
    ],
    cells,
  };
}

function marginFigure(context: SectionContext): FigureBlock | null {
  const all = nodeCells(context.index.nodeAttacks).flatMap((runs): BoxRow[] => {
    const nodes = runs.flatMap((run) => run.nodes ?? []);
    const panel = panelName(context, runs[0].dataset, `${runs[0].attack}, ${nodeBudget(runs[0])}`);
    return (["before", "after"] as const).flatMap((when) => {
      const box = fiveNumbers(nodes.map(({ margin }) => (when === "before" ? margin.clean : margin.adversarial)));
      if (!box) return [];
      const [smallest, lower, median, upper, largest] = box;
      return [{ panel, group: runs[0].model, when, smallest, lower, median, upper, largest }];
    });
  });
  if (all.length === 0) return null;
  const { rows, note } = firstPanels(all);
  return {
    kind: "figure",
    id: "local-margins",
    caption: `Margins (probability of the true class minus that of the strongest other) of nodes that were attacked one by one, each on the clean graph; nodes of all seeds together. Boxes are quartiles and medians, lines reach to the extremes.${note}`,
    alternative: boxesInWords(all),
    chart: { ...marginBoxes(rows, context.theme), rows: all },
  };
}
