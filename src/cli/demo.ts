import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lookup } from "../core/errors.ts";
import { accuracyCell, averageRobustness, type RobustnessErrors } from "../experiment/average-robustness.ts";
import { modelKinds } from "../experiment/models.ts";
import {
  checkPlan,
  compareRobustness,
  percent,
  type RobustnessPlan,
  type RobustnessResult,
} from "../experiment/robustness.ts";
import { robustnessChart, robustnessPage } from "../experiment/robustness-report.ts";
import type { Session } from "../experiment/session.ts";
import { left, right } from "../experiment/table-column.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { epsilonList } from "./number-options.ts";
import { openAnnounced, type SessionFlags, sessionOptions } from "./options.ts";
import { TerminalSteps } from "./steps.ts";
import { formatTable } from "./table.ts";

interface DemoFlags extends SessionFlags {
  readonly models: readonly string[];
  readonly attacks: readonly string[];
  readonly epsilon: readonly number[];
  readonly out: string;
}

/** Sized for two minutes on two cores; an attack that is not here runs with its own defaults. */
const ATTACK_OPTIONS: RobustnessPlan["attacks"] = {
  prbcd: { blockSize: 200_000, epochs: 200, fineTuneEpochs: 50 },
  grbcd: { blockSize: 200_000, epochs: 200 },
};

/** `rgnn demo`: the main job in one command, on the built-in graph unless told otherwise. */
export function demoCommand(): Command {
  const command = new Command("demo").description("Train models, attack them, print the table and draw the curves");
  const models = `models, the first of which is attacked: any of ${Object.keys(modelKinds).join(", ")}`;
  const attacks = `attacks: any of ${Object.keys(globalAttacks).join(", ")}`;
  return sessionOptions(command)
    .option("--models <names>", models, names, ["gcn", "gdc", "soft-median-gdc", "mlp"])
    .option("--attacks <names>", attacks, names, ["prbcd", "grbcd", "dice"])
    .option(
      "--epsilon <shares>",
      "budgets as shares of the edges: 0.05,0.1 or 0.01:0.1:4 (from, to, how many)",
      epsilonList,
      [0.05, 0.1, 0.25],
    )
    .option("--out <folder>", "where the report goes", "rgnn-report")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn demo --dataset cora_ml --models gcn,soft-median-gdc --attacks prbcd,grbcd --seed 0,1,5",
    )
    .action(run);
}

async function run(flags: DemoFlags): Promise<void> {
  const { seed: seeds, out, json, models, epsilon: epsilons } = flags;
  for (const model of models) lookup(modelKinds, model, "model");
  for (const attack of flags.attacks) lookup(globalAttacks, attack, "attack");
  const attacks = Object.fromEntries(flags.attacks.map((name) => [name, ATTACK_OPTIONS[name] ?? {}]));
  await checkWritable(resolve(out, "index.html"));
  const session = await openAnnounced(flags);
  const { dataset } = session;
  try {
    const plans = seeds.map((seed): RobustnessPlan => ({ models, attacks, epsilons, seed }));
    checkPlan(session, plans[0]);
    const { numNodes, numEdges, numFeatures, numClasses } = session.graph;
    console.error(`${dataset}: ${numNodes} nodes, ${numEdges} edges, ${numFeatures} features, ${numClasses} classes`);
    const results = await interruptible((signal) => compareSeeds(session, plans, signal));
    const shown = summarise(seeds, results);
    const files = await writeReport(dataset, shown, out);
    const interrupted = results.at(-1)!.interrupted || results.length < seeds.length;
    if (!json) console.log(describe(shown, interrupted, files));
    else if (seeds.length === 1) console.log(JSON.stringify({ dataset, seed: seeds[0], ...results[0], files }));
    else console.log(JSON.stringify({ dataset, ...several(seeds, results, shown), interrupted, files }));
    endIfInterrupted(interrupted);
  } finally {
    await session.close();
  }
}

async function compareSeeds(session: Session, plans: readonly RobustnessPlan[], signal: AbortSignal) {
  const results: RobustnessResult[] = [];
  for (const plan of plans) {
    if (plans.length > 1) console.error(`seed ${plan.seed}`);
    results.push(await compareRobustness(session, plan, new TerminalSteps(), signal));
    if (signal.aborted) break;
  }
  return results;
}

/** What is shown of the seeds: the mean of those that ended, or all there is of the first. */
interface Shown {
  readonly seeds: readonly number[];
  readonly result: RobustnessResult;
  readonly errors?: RobustnessErrors;
}

function summarise(seeds: readonly number[], results: readonly RobustnessResult[]): Shown {
  const whole = results.filter(({ interrupted }) => !interrupted); // all but perhaps the last
  if (whole.length === 0) return { seeds: seeds.slice(0, 1), result: results[0] };
  const { mean, standardError } = averageRobustness(whole);
  return { seeds: seeds.slice(0, whole.length), result: mean, errors: standardError };
}

function several(seeds: readonly number[], results: readonly RobustnessResult[], { result, errors }: Shown) {
  const runs = results.map((run, k) => ({ seed: seeds[k], ...run }));
  const { clean, rows } = result;
  return { runs, mean: errors ? { clean, rows } : null, standardError: errors ?? null };
}

async function writeReport(dataset: string, shown: Shown, folder: string) {
  const title = `Robustness on ${dataset}`;
  const chart = await robustnessChart(shown.result, title);
  const files = { chart: resolve(folder, "accuracy.svg"), report: resolve(folder, "index.html") };
  await writeAtomically(files.chart, chart);
  await writeAtomically(files.report, robustnessPage({ title, ...shown, chart }));
  return files;
}

function describe(
  { seeds, result, errors }: Shown,
  isPartial: boolean,
  files: { chart: string; report: string },
): string {
  const models = Object.keys(result.clean);
  const columns = [left("attack"), right("budget"), right("flips"), ...models.map(right)];
  const cells = (of: Readonly<Record<string, number>>, errorsOf?: Readonly<Record<string, number | null>>) =>
    models.map((model) => accuracyCell(of[model], errorsOf?.[model]));
  const rows = [
    ["none", "0%", "0", ...cells(result.clean, errors?.clean)],
    ...result.rows.map(({ attack, epsilon, numFlips, accuracy }, r) => [
      attack,
      percent(epsilon),
      numFlips.toFixed(0),
      ...cells(accuracy, errors?.rows[r].accuracy),
    ]),
  ];
  const noEdges = models.includes("mlp") ? "; mlp sees no edges" : "";
  const over = seeds.length > 1 ? `, mean ± standard error over seeds ${seeds.join(", ")}` : "";
  const partial = "Interrupted: rows or seeds are missing, and the last row is the best so far.";
  return [
    formatTable(columns, rows),
    "",
    `Test accuracy on discrete graphs${over}. Flips are found on ${models[0]} and transferred to the others${noEdges}.`,
    ...(isPartial ? [partial] : []),
    `curves  ${files.chart}`,
    `report  ${files.report}`,
  ].join("\n");
}

/** `gcn,mlp`: names, each once. */
function names(text: string): readonly string[] {
  const all = text.split(",");
  if (all.includes("")) throw new InvalidArgumentError(`must be names separated by commas, got "${text}".`);
  const twice = all.find((name, k) => all.indexOf(name) !== k);
  if (twice !== undefined) throw new InvalidArgumentError(`names ${twice} twice.`);
  return all;
}
