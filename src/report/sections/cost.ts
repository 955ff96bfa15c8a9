import { formatBytes, formatCount } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { type BarRow, groupedBars } from "../charts/grouped-bars.ts";
import type { FigureBlock, TableBlock } from "../document.ts";
import { mean } from "../results/mean.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import { budgetCell, seconds } from "../words.ts";
import { firstPanels, oncePerFlips, type SectionContext, type SectionResult } from "./context.ts";

/** Time and memory of attacks, and time of training. */
export function costSection(context: SectionContext): SectionResult {
  const { index } = context;
  const attacks = oncePerFlips(index.attacked.filter(({ attackCost }) => attackCost));
  const training = trainingTable(context);
  return {
    id: "cost",
    title: "Time and memory",
    blocks: [
      ...(attacks.length > 0 ? [attackFigure(context, attacks), attackTable(context, attacks)] : []),
      ...(training ? [training] : []),
    ],
  };
}

function attackFigure(context: SectionContext, attacks: readonly AttackedRun[]): FigureBlock {
  const { results, attackStyle, index } = context;
  const cells = Map.groupBy(attacks, ({ dataset, attack, budget }) => JSON.stringify([dataset, attack, budget]));
  const measures = [
    { panel: "seconds", measure: (run: AttackedRun) => run.attackCost!.seconds },
    { panel: "memory of the kernels, MiB", measure: (run: AttackedRun) => run.attackCost!.peakBytes / 2 ** 20 },
  ];
  const all = index.datasets.flatMap((dataset) =>
    measures.flatMap(({ panel, measure }) =>
      [...cells.values()]
        .filter(([first]) => first.dataset === dataset)
        .map(
          (runs): BarRow => ({
            panel: index.datasets.length > 1 ? `${panel} · ${dataset}` : panel,
            group: budgetCell(runs[0].budget, results.budgetUnit),
            series: runs[0].attack,
            value: mean(runs.map(measure)),
          }),
        ),
    ),
  );
  const { rows, note } = firstPanels(all);
  const longest = all.filter(({ panel }) => panel.startsWith("seconds")).reduce((a, b) => (b.value > a.value ? b : a));
  const legend = attackStyle.legend.map(({ name, colour }) => ({ name, colour }));
  return {
    kind: "figure",
    id: "attack-cost",
    caption: `Time of one attack and the most memory that its kernels held at once, means over seeds. Several processes may have run at the same time on the machine.${note}`,
    alternative: `Bar charts of time and memory by budget. ${longest.series} takes longest: ${seconds(longest.value)} at ${longest.group}.`,
    chart: { ...groupedBars(rows, { group: { title: "budget" }, value: { title: "" } }, legend), rows: all },
  };
}

function attackTable({ index, results }: SectionContext, attacks: readonly AttackedRun[]): TableBlock {
  const several = index.datasets.length > 1;
  const cells = Map.groupBy(attacks, ({ dataset, attack, budget }) => JSON.stringify([dataset, attack, budget]));
  return {
    kind: "table",
    id: "attack-cost-table",
    caption: "What one attack takes: mean time, epochs, and the largest memory of its kernels.",
    columns: [
      ...(several ? [left("dataset")] : []),
      left("attack"),
      ...["budget", "epochs", "time", "memory", "attacks"].map(right),
    ],
    cells: [...cells.values()].map((runs) => [
      ...(several ? [runs[0].dataset] : []),
      runs[0].attack,
      budgetCell(runs[0].budget, results.budgetUnit),
      formatCount(Math.round(mean(runs.map(({ attackCost }) => attackCost!.epochs)))),
      seconds(mean(runs.map(({ attackCost }) => attackCost!.seconds))),
      formatBytes(Math.max(...runs.map(({ attackCost }) => attackCost!.peakBytes))),
      String(runs.length),
    ]),
  };
}

function trainingTable({ index }: SectionContext): TableBlock | null {
  const several = index.datasets.length > 1;
  const lines = index.datasets.flatMap((dataset) =>
    index.models.flatMap((model) => {
      const ofModel = index.runs.filter(
        (run) => run.dataset === dataset && run.model === model && run.details?.training,
      );
      const bySeed = [...new Map(ofModel.map((run) => [run.seed, run.details!.training!])).values()];
      if (bySeed.length === 0) return [];
      return [
        [
          ...(several ? [dataset] : []),
          model,
          formatCount(Math.round(mean(bySeed.map(({ numEpochs }) => numEpochs)))),
          formatCount(Math.round(mean(bySeed.map(({ bestEpoch }) => bestEpoch)))),
          seconds(mean(bySeed.map((each) => each.seconds))),
          String(bySeed.length),
        ],
      ];
    }),
  );
  if (lines.length === 0) return null;
  return {
    kind: "table",
    id: "training-cost-table",
    caption: "What training a model takes, means over seeds.",
    columns: [
      ...(several ? [left("dataset")] : []),
      left("model"),
      ...["epochs", "best epoch", "time", "seeds"].map(right),
    ],
    cells: lines,
  };
}
