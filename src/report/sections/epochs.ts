import { formatCount } from "../../experiment/readable-numbers.ts";
import type { LegendEntry } from "../charts/chart.ts";
import { type EpochRow, epochCurves } from "../charts/epoch-curves.ts";
import type { FigureBlock } from "../document.ts";
import type { AttackedRun, MeasuredRun } from "../results/measured-run.ts";
import { budgetText, listed } from "../words.ts";
import {
  firstPanels,
  NO_DETAILS,
  oncePerFlips,
  panelName,
  type SectionContext,
  type SectionResult,
} from "./context.ts";

/** Losses and accuracies of training and of attacks, epoch by epoch. */
export function epochsSection(context: SectionContext): SectionResult {
  const title = "Loss and accuracy over epochs";
  const training = trainingFigure(context);
  const attacks = attackFigures(context);
  const blocks = [...(training ? [training] : []), ...attacks];
  return blocks.length === 0 ? { title, reason: NO_DETAILS } : { id: "epochs", title, blocks };
}

function trainingFigure(context: SectionContext): FigureBlock | null {
  const { index, theme } = context;
  const trained = new Map<string, MeasuredRun>(); // each model and seed once, however often it was attacked
  for (const run of index.runs) {
    if (run.details?.training) trained.set(`${run.dataset} ${run.model} ${run.seed}`, run);
  }
  if (trained.size === 0) return null;
  const inOrder = [...trained.values()].sort((a, b) => index.models.indexOf(a.model) - index.models.indexOf(b.model));
  const all = inOrder.flatMap((run): EpochRow[] => {
    const { epochs, trainLoss, valLoss } = run.details!.training!;
    const panel = panelName(context, run.dataset, run.model);
    const rowOf = (series: string, epoch: number, value: number) => ({ panel, series, seed: run.seed, epoch, value });
    return [
      ...epochs.map((epoch, k) => rowOf("training", epoch, trainLoss[k])),
      ...epochs.map((epoch, k) => rowOf("validation", epoch, valLoss[k])),
    ];
  });
  const { rows, note } = firstPanels(all);
  const legend: LegendEntry[] = [
    { name: "training", colour: theme.before },
    { name: "validation", colour: theme.ink, dash: [5, 3] },
  ];
  const lengths = inOrder.map(({ details }) => details!.training!.numEpochs);
  return {
    kind: "figure",
    id: "training-loss",
    caption: `Cross-entropy of training and validation nodes while each model learns, with dropout; a line per seed. The weights of the epoch with the lowest validation loss are kept.${note}`,
    alternative: `Line charts of training and validation loss for ${listed(index.models)}: between ${formatCount(Math.min(...lengths))} and ${formatCount(Math.max(...lengths))} epochs.`,
    chart: { ...epochCurves(rows, { title: "loss" }, legend), rows: all },
  };
}

/** Figures of attacks at the budget where all are compared, coloured by the model that flips were found on. */
function attackFigures(context: SectionContext): FigureBlock[] {
  const { index, findings, results, modelStyle } = context;
  const found = oncePerFlips(
    index.attacked.filter(
      ({ dataset, budget, details }) => findings.get(dataset)?.budget === budget && details?.attack,
    ),
  );
  if (found.length === 0) return [];
  const budgets = [...new Set(found.map(({ budget }) => budgetText(budget, results.budgetUnit)))].join(" or ");
  const rowsOf = (valuesOf: (run: AttackedRun) => readonly (number | null)[]) =>
    found.flatMap((run): EpochRow[] => {
      const panel = panelName(context, run.dataset, run.attack);
      const values = valuesOf(run);
      return run.details!.attack!.epochs.map((epoch, k) => ({
        panel,
        series: run.attackedModel,
        seed: run.seed,
        epoch,
        value: values[k],
      }));
    });
  const legend = modelStyle.legend.map(({ dash: _, ...entry }) => entry);
  const figure = (id: string, what: string, all: readonly EpochRow[], y: { title: string; format?: string }) => {
    const { rows, note } = firstPanels(all);
    return {
      kind: "figure" as const,
      id,
      caption: `${what} over the epochs of each attack with a budget of ${budgets}, on the model on which its flips are found; a line per seed.${note}`,
      alternative: `Line charts over epochs for ${listed([...new Set(found.map(({ attack }) => attack))])}. ${what}.`,
      chart: { ...epochCurves(rows, y, legend), rows: all },
    };
  };
  const accuracies = rowsOf(({ details }) => details!.attack!.accuracy).filter(({ value }) => value !== null);
  const relaxed =
    "Accuracy of the attacked nodes on the graph as the attack sees it (edges may have weights between 0 and 1)";
  return [
    figure(
      "attack-loss",
      "What the attack maximises",
      rowsOf(({ details }) => details!.attack!.loss),
      { title: "loss" },
    ),
    ...(accuracies.length > 0
      ? [figure("attack-accuracy", relaxed, accuracies, { title: "accuracy", format: "%" })]
      : []),
  ];
}
