import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { globalAttacks } from "../attack/global-attacks.ts";
import { check, Interrupted, lookup, PartialFailure } from "../core/errors.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { accuracyCell, averageRobustness, type RobustnessErrors } from "../experiment/average-robustness.ts";
import {
  checkRobustness,
  percent,
  planRobustness,
  type RobustnessChoice,
  type RobustnessResult,
  readRobustness,
} from "../experiment/robustness.ts";
import { packageVersion } from "../experiment/runner/run-facts.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import { left, right } from "../experiment/table-column.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { buildReport } from "../report/build-report.ts";
import { readResults } from "../report/results/read-study.ts";
import { writeReport } from "../report/write-report.ts";
import { endIfInterrupted } from "./interrupt.ts";
import { measurePlan } from "./measure-plan.ts";
import { epsilonList } from "./number-options.ts";
import { GROUPS, given, openAnnounced, type SessionFlags, sessionOptions } from "./options.ts";
import { formatTable } from "./table.ts";

interface DemoFlags extends SessionFlags {
  readonly models: readonly string[];
  readonly attacks: readonly string[];
  readonly epsilon: readonly number[];
  readonly out: string;
}

/** Sized for two minutes on two cores; an attack that is not listed runs with its own defaults. */
const ATTACK_OPTIONS: RobustnessChoice["attacks"] = {
  prbcd: { blockSize: 200_000, epochs: 200, fineTuneEpochs: 50 },
  grbcd: { blockSize: 200_000, epochs: 200 },
};

/** `rgnn demo`: the main job in one command, on the built-in graph unless told otherwise. */
export function demoCommand(): Command {
  const command = new Command("demo").description("Train models, attack them, print the table and write a report");
  const models = `models, the first of which is attacked: any of ${Object.keys(modelKinds).join(", ")}`;
  const attacks = `attacks: any of ${Object.keys(globalAttacks).join(", ")}`;
  command
    .optionsGroup(GROUPS.measured)
    .option("--models <names>", models, names, ["gcn", "gdc", "soft-median-gdc", "mlp"])
    .option("--attacks <names>", attacks, names, ["prbcd", "grbcd", "dice"])
    .option(
      "--epsilon <shares>",
      "budgets as shares of the edges: 0.05,0.1 or 0.01:0.1:4 (from, to, how many)",
      epsilonList,
      [0.05, 0.1, 0.25],
    );
  return sessionOptions(command)
    .option(
      "--out <folder>",
      "where the report goes, and what was measured: a second start measures nothing twice",
      "rgnn-report",
    )
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
  const { dataset, choice } = await checked(flags, { models, attacks, epsilons, seeds });
  const { study, results } = await measure(choice, flags);
  if (results.every(({ clean }) => Object.keys(clean).length === 0))
    throw new Interrupted("interrupted before the first model was trained; there is no result");
  const shown = summarise(seeds, results);
  const files = { report: await report(dataset, study, flags) };
  const interrupted = results.some((result) => result.interrupted);
  if (!json) console.log(describe(shown, interrupted, { ...files, out }));
  else if (seeds.length === 1) console.log(JSON.stringify({ dataset, seed: seeds[0], ...results[0], files }));
  else console.log(JSON.stringify({ dataset, ...several(seeds, results, shown), interrupted, files }));
  endIfInterrupted(interrupted);
}

/** Opens the graph once to find mistakes early and to learn which device it runs on. */
async function checked(flags: DemoFlags, what: Pick<RobustnessChoice, "models" | "attacks" | "epsilons" | "seeds">) {
  check(flags.precision === undefined, () => "rgnn demo computes in single precision; leave out --precision");
  const session = await openAnnounced(flags);
  try {
    const { dataset, directed, allComponents, ignoreWeights, binaryFeatures, adjacency, split } = flags;
    const choice: RobustnessChoice = {
      ...what,
      dataset: given({ dataset, directed, allComponents, ignoreWeights, binaryFeatures, adjacency }),
      ...given({ split }),
      device: session.device,
    };
    checkRobustness(session, choice);
    const { numNodes, numEdges, numFeatures, numClasses } = session.graph;
    console.error(
      `${session.dataset}: ${numNodes} nodes, ${numEdges} edges, ${numFeatures} features, ${numClasses} classes`,
    );
    return { dataset: session.dataset, choice };
  } finally {
    await session.close();
  }
}

/** Measures what the store beside the report does not hold yet. */
async function measure(choice: RobustnessChoice, { out, threads, dataDir }: DemoFlags): Promise<Measured> {
  const place = storeIn(out);
  const store = await openRunStore(place);
  try {
    const plan = await planRobustness(choice, given({ dataDir }));
    const { failed } = await measurePlan(store, plan, { place, threads, dataDir });
    if (failed.length > 0) throw new PartialFailure(`${failed.length} runs failed, the first with: ${failed[0].error}`);
    return { study: plan.study, results: await readRobustness(store, plan, choice) };
  } finally {
    await store.close();
  }
}

interface Measured {
  readonly study: string;
  readonly results: readonly RobustnessResult[];
}

/** The table to show: the mean over the complete seeds; if none is complete, the seed with the most models. */
interface Shown {
  readonly seeds: readonly number[];
  readonly result: RobustnessResult;
  readonly errors?: RobustnessErrors;
}

function summarise(seeds: readonly number[], results: readonly RobustnessResult[]): Shown {
  const whole = results.filter(({ interrupted }) => !interrupted);
  const most = results.reduce((a, b) => (Object.keys(b.clean).length > Object.keys(a.clean).length ? b : a));
  if (whole.length === 0) return { seeds: [seeds[results.indexOf(most)]], result: most };
  const { mean, standardError } = averageRobustness(whole);
  return { seeds: seeds.filter((_, k) => !results[k].interrupted), result: mean, errors: standardError };
}

function several(seeds: readonly number[], results: readonly RobustnessResult[], { result, errors }: Shown) {
  const runs = results.map((run, k) => ({ seed: seeds[k], ...run }));
  const { clean, rows } = result;
  return { runs, mean: errors ? { clean, rows } : null, standardError: errors ?? null };
}

/** Writes the report of what was measured; returns its file. */
async function report(dataset: string, study: string, flags: DemoFlags): Promise<string> {
  const { out, seed, models, attacks, epsilon } = flags;
  const store = await openRunStore(storeIn(out));
  try {
    const results = await readResults(store, study);
    const what = `--models ${models.join()} --attacks ${attacks.join()} --epsilon ${epsilon.join()} --seed ${seed.join()}`;
    const command = `rgnn demo --dataset ${flags.dataset} ${what}`;
    const options = { title: `Robustness on ${dataset}`, command, version: packageVersion(), date: new Date() };
    const [file] = await writeReport(buildReport(results, options), resolve(out, "index.html"));
    return file;
  } finally {
    await store.close();
  }
}

function storeIn(folder: string): string {
  return resolve(folder, "store.sqlite");
}

function describe(
  { seeds, result, errors }: Shown,
  isPartial: boolean,
  files: { report: string; out: string },
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
  const partial = "Interrupted: rows or seeds are missing; the same command goes on where it was.";
  return [
    formatTable(columns, rows),
    "",
    `Test accuracy on discrete graphs${over}. Flips are found on ${models[0]} and transferred to the others${noEdges}.`,
    ...(isPartial ? [partial] : []),
    `report     ${files.report}`,
    `dashboard  npx rgnn serve --store ${join(files.out, "store.sqlite")}`,
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
