import type { FiveNumbers } from "../../experiment/details/five-numbers.ts";
import type { When } from "../charts/before-after.ts";
import { type BoxRow, marginBoxes } from "../charts/margin-boxes.ts";
import { type MarginRow, marginDistribution } from "../charts/margin-distribution.ts";
import type { FigureBlock } from "../document.ts";
import { addHistograms, smooth } from "../results/margin-sums.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetText, percent } from "../words.ts";
import {
  firstPanels,
  NO_ATTACK,
  NO_DETAILS,
  panelName,
  type SectionContext,
  type SectionResult,
  strongestRuns,
  strongestText,
} from "./context.ts";

/** Margins of nodes before and after attacks. */
export function marginsSection(context: SectionContext): SectionResult {
  const title = "Margins of attacked nodes";
  if (context.index.attacked.length === 0) return { title, reason: NO_ATTACK };
  const groups = strongestRuns(context).filter((runs) => runs.some(({ details }) => details?.targets.margins?.after));
  if (groups.length === 0) return { title, reason: NO_DETAILS };
  return { id: "margins", title, blocks: [distributionFigure(context, groups), boxFigure(context, groups)] };
}

function distributionFigure(context: SectionContext, groups: readonly AttackedRun[][]): FigureBlock {
  const { results, theme } = context;
  const lost: string[] = [];
  const all = groups.flatMap((runs): MarginRow[] => {
    const histograms = runs.flatMap(({ details }) => details?.targets.margins ?? []);
    const { width, first, before, after } = addHistograms(histograms);
    const panel = panelName(context, runs[0].dataset, `${runs[0].model} under ${runs[0].attack}`);
    const rowsOf = (when: When, counts: readonly number[]) => {
      const total = counts.reduce((sum, value) => sum + value, 0);
      const densities = smooth(counts);
      return counts.map((value, k) => ({
        panel,
        when,
        from: (first + k) * width,
        to: (first + k + 1) * width,
        share: value / total,
        density: densities[k] / total,
      }));
    };
    const below = rowsOf("after", after).reduce((sum, { to, share }) => sum + (to <= 0 ? share : 0), 0);
    lost.push(`${panel}: ${percent(below, 0)} of the nodes end below zero.`);
    return [...rowsOf("before", before), ...rowsOf("after", after)];
  });
  const { rows, note } = firstPanels(withoutTails(all));
  return {
    kind: "figure",
    id: "margin-distribution",
    caption: `Margins (logit of the true class minus that of the strongest other) of the test nodes before and after, ${strongestText(context, (budget) => budgetText(budget, results.budgetUnit))}; all seeds together. Bars are histograms, lines are densities. Nodes left of zero are classified wrongly.${note}`,
    alternative: `Histograms of margins before and after the attack. ${lost.join(" ")}`,
    chart: { ...marginDistribution(rows, theme), rows: all },
  };
}

/** Leaves out bins at the ends with less than a thousandth of the nodes, which only the csv has. */
function withoutTails(rows: readonly MarginRow[]): MarginRow[] {
  const panels = Map.groupBy(rows, ({ panel }) => panel);
  return [...panels.values()].flatMap((ofPanel) => {
    const filled = ofPanel.filter(({ share }) => share >= 0.001);
    const low = Math.min(...filled.map(({ from }) => from));
    const high = Math.max(...filled.map(({ to }) => to));
    return ofPanel.filter(({ from, to }) => from >= low && to <= high);
  });
}

function boxFigure(context: SectionContext, groups: readonly AttackedRun[][]): FigureBlock {
  const rows = groups.flatMap((runs): BoxRow[] => {
    const panel = context.index.datasets.length > 1 ? runs[0].dataset : "";
    const group = runs[0].model;
    return (["before", "after"] as const).flatMap((when) =>
      boxRow(
        panel,
        group,
        when,
        runs.map(({ details }) => details?.targets.boxes[when]).filter((box) => box != null),
      ),
    );
  });
  return {
    kind: "figure",
    id: "margin-boxes",
    caption: `The same margins as box plots: quartiles and median, with lines to the smallest and the largest; means over seeds.`,
    alternative: boxesInWords(rows),
    chart: marginBoxes(rows, context.theme),
  };
}

/** The mean of each of the five numbers; no row if there are no boxes. */
function boxRow(panel: string, group: string, when: When, boxes: readonly FiveNumbers[]): BoxRow[] {
  if (boxes.length === 0) return [];
  const mean = (k: number) => boxes.reduce((sum, box) => sum + box[k], 0) / boxes.length;
  return [{ panel, group, when, smallest: mean(0), lower: mean(1), median: mean(2), upper: mean(3), largest: mean(4) }];
}

export function boxesInWords(rows: readonly BoxRow[]): string {
  const medians = rows.map(({ group, when, median }) => `${group} ${when}: median ${median.toFixed(2)}`);
  return `Box plots of margins. ${medians.join("; ")}.`;
}
