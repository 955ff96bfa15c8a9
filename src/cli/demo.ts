import { resolve } from "node:path";
import { Command } from "commander";
import { compareRobustness, percent, type RobustnessPlan, type RobustnessResult } from "../experiment/robustness.ts";
import { robustnessChart, robustnessPage } from "../experiment/robustness-report.ts";
import { left, right } from "../experiment/table-column.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import { interruptible } from "./interrupt.ts";
import { openAnnounced, type SessionFlags, sessionOptions } from "./options.ts";
import { TerminalSteps } from "./steps.ts";
import { formatTable } from "./table.ts";

interface DemoFlags extends SessionFlags {
  readonly out: string;
}

/** `rgnn demo`: the main job in one command, on the built-in graph unless told otherwise. */
export function demoCommand(): Command {
  const command = new Command("demo").description("Train models, attack them, print the table and draw the curves");
  return sessionOptions(command).option("--out <folder>", "where the report goes", "rgnn-report").action(run);
}

/** Sized for two minutes on two cores. */
const attacks = {
  prbcd: { blockSize: 200_000, epochs: 200, fineTuneEpochs: 50 },
  grbcd: { blockSize: 200_000, epochs: 200 },
  dice: {},
};

async function run(flags: DemoFlags): Promise<void> {
  const { seed, out, json } = flags;
  const session = await openAnnounced(flags);
  const plan: RobustnessPlan = {
    models: ["gcn", "gdc", "soft-median-gdc", "mlp"],
    attacks,
    epsilons: [0.05, 0.1, 0.25],
    seed,
  };
  try {
    const { numNodes, numEdges, numFeatures, numClasses } = session.graph;
    console.error(
      `${session.dataset}: ${numNodes} nodes, ${numEdges} edges, ${numFeatures} features, ${numClasses} classes`,
    );
    const result = await interruptible((signal) => compareRobustness(session, plan, new TerminalSteps(), signal));
    const files = await writeReport(session.dataset, plan, result, out);
    console.log(json ? JSON.stringify({ dataset: session.dataset, seed, ...result, files }) : describe(result, files));
  } finally {
    await session.close();
  }
}

async function writeReport(dataset: string, plan: RobustnessPlan, result: RobustnessResult, folder: string) {
  const title = `Robustness on ${dataset}`;
  const chart = await robustnessChart(result, title);
  const files = { chart: resolve(folder, "accuracy.svg"), report: resolve(folder, "index.html") };
  await writeAtomically(files.chart, chart);
  await writeAtomically(files.report, robustnessPage(plan, result, title, chart));
  return files;
}

function describe(result: RobustnessResult, files: { chart: string; report: string }): string {
  const models = Object.keys(result.clean);
  const columns = [left("attack"), right("budget"), right("flips"), ...models.map(right)];
  const accuracies = (of: Readonly<Record<string, number>>) => models.map((model) => of[model].toFixed(3));
  const rows = [
    ["none", "0%", "0", ...accuracies(result.clean)],
    ...result.rows.map(({ attack, epsilon, numFlips, accuracy }) => [
      attack,
      percent(epsilon),
      String(numFlips),
      ...accuracies(accuracy),
    ]),
  ];
  const note = `Test accuracy. Flips are found on ${models[0]} and transferred to the others; mlp sees no edges.`;
  const interrupted = result.interrupted ? ["Interrupted: rows are missing, and the last one is the best so far."] : [];
  return [
    formatTable(columns, rows),
    "",
    note,
    ...interrupted,
    `curves  ${files.chart}`,
    `report  ${files.report}`,
  ].join("\n");
}
