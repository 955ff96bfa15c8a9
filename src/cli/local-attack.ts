import type { Command } from "commander";
import type { Influence } from "../attack/local/local-task.ts";
import { check } from "../core/errors.ts";
import type { LocalAttackReport } from "../experiment/local-report.ts";
import type { NodeAttackChoice, NodeBudgetChoice } from "../experiment/node-attack-choice.ts";
import type { NodeSession } from "../experiment/node-session.ts";
import { attackStoreNodes } from "../experiment/on-store/attack-store-nodes.ts";
import { StoreSession } from "../experiment/on-store/store-session.ts";
import { attackNodes, type LocalAttackRun, summariseNodeAttacks } from "../experiment/run-node-attacks.ts";
import type { Session } from "../experiment/session.ts";
import { nameModel, type RunWatch } from "../experiment/trained-model.ts";
import { writeNodeFlips } from "../files/node-flips-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { describeLocal, describeLocals, successText, templateValues } from "./local-attack-text.ts";
import { checkTemplate, fillIn } from "./name-template.ts";
import { nodeList } from "./node-list.ts";
import { allowOnly, GROUPS, given, openAnnouncedFor } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { type TrainedModelFlags, trainedChoice } from "./trained-model-options.ts";
import { warn } from "./warn.ts";

/** The flags of `rgnn attack` that attacks on single nodes use. */
export interface LocalAttackFlags extends TrainedModelFlags {
  readonly attack: string;
  readonly surrogate?: string;
  readonly epsilon?: readonly number[];
  readonly budget?: number;
  readonly minimal?: boolean;
  readonly towards?: string;
  readonly influence?: string;
  readonly nodes?: string;
  readonly poison?: boolean;
  readonly out?: string;
}

/** The flags that attacks on all nodes at once do not have. */
const LOCAL_ONLY = ["minimal", "towards", "influence"];

/** Adds the flags that only attacks on single nodes have. */
export function localAttackOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.nodes)
    .option("--minimal", "the fewest flips that change the prediction; a budget is the most to try")
    .option("--towards <class>", "the class that the nodes should get (default: any but their own)")
    .option(
      "--influence <where>",
      "direct (flips at the node), influencer (at its neighbours only) or both (default direct)",
    );
}

/** Throws if an attack on all nodes at once was given a flag for attacks on single nodes. */
export function refuseLocalFlags(attack: string, command: Command): void {
  const wrong = command.options.find(
    (option) =>
      LOCAL_ONLY.includes(option.attributeName()) && command.getOptionValue(option.attributeName()) !== undefined,
  );
  check(wrong === undefined, () => `${attack} does not use ${wrong?.long}, which is for attacks on single nodes`);
}

const USED = [
  ...[
    "dataset",
    "directed",
    "allComponents",
    "ignoreWeights",
    "binaryFeatures",
    "adjacency",
    "split",
    "dataDir",
    "device",
    "threads",
  ],
  ...[
    "precision",
    "seed",
    "json",
    "model",
    "weights",
    "force",
    "set",
    "surrogate",
    "attack",
    "epsilon",
    "budget",
    "loss",
  ],
  ...["blockSize", "epochs", "option", "nodes", "poison", "out", ...LOCAL_ONLY],
];

/** `rgnn attack` with an attack on single nodes; `options` are those of the attack itself, parsed already. */
export async function runLocalAttack(
  flags: LocalAttackFlags,
  options: Readonly<Record<string, unknown>>,
  command: Command,
): Promise<void> {
  allowOnly(command, flags.attack, USED);
  const { json, seed: seeds, out } = flags;
  checkFiles(flags);
  checkNodes(flags);
  const budgets = budgetsOf(flags);
  const numRuns = seeds.length * budgets.length;
  for (const file of filesOf(flags)) await checkWritable(file);
  const device = flags.device === "auto" ? "cpu" : flags.device; // a thread per node is faster than a GPU
  const session = await openAnnouncedFor({ ...flags, device }, modelOf(flags));
  const bar = new ProgressBar();
  const reports: LocalAttackReport[] = [];
  try {
    const choices = seeds.map((seed) => choiceOf(session, flags, options, seed));
    await interruptible(async (signal) => {
      for await (const run of attackOn(session)(choices, budgets, { progress: bar, signal, warn })) {
        bar.finish();
        reports.push(run.report);
        if (numRuns > 1)
          console.error(`seed ${run.report.seed}, ${budgetText(run.report)}: ${successText(run.report)}`);
        if (out) await write(out, session, run);
      }
    }).finally(() => bar.finish());
  } finally {
    await session.close();
  }
  const several = summariseNodeAttacks(reports, numRuns);
  if (numRuns > 1) console.log(json ? JSON.stringify(several) : describeLocals(several, out));
  else console.log(json ? JSON.stringify(reports[0]) : describeLocal(reports[0], out));
  endIfInterrupted(several.interrupted);
}

/** The name of the model, from the file of weights if there is one. */
function modelOf(flags: LocalAttackFlags): string {
  const { weights, seed: seeds } = flags;
  const seed = seeds[0];
  const first = weights !== undefined && { weights: fillIn(weights, { seed }) };
  return nameModel({ ...trainedChoice(flags), seed, ...first }).model;
}

/** The function that attacks nodes of this session, whose graph is in memory or on the disk. */
function attackOn(session: NodeSession) {
  type Rest = [readonly NodeAttackChoice[], readonly NodeBudgetChoice[], RunWatch];
  if (session instanceof StoreSession) return (...rest: Rest) => attackStoreNodes(session, ...rest);
  return (...rest: Rest) => attackNodes(session as Session, ...rest);
}

function budgetText({ epsilon, budget }: LocalAttackReport): string {
  return epsilon === null ? `budget ${budget}` : `epsilon ${epsilon}`;
}

function checkFiles({ out, weights, seed, epsilon = [] }: LocalAttackFlags): void {
  check(out === undefined || out.endsWith(".csv"), () => `--out must end in .csv (flips of each node), got ${out}`);
  if (out !== undefined) checkTemplate("--out", out, { seed, epsilon });
  if (weights !== undefined) checkTemplate("--weights", weights, { seed });
}

function filesOf({ out, seed: seeds, epsilon: epsilons = [] }: LocalAttackFlags): string[] {
  if (out === undefined) return [];
  if (epsilons.length === 0) return seeds.map((seed) => fillIn(out, { seed }));
  return seeds.flatMap((seed) => epsilons.map((epsilon) => fillIn(out, { seed, epsilon })));
}

/** The budgets to run with every seed; without flags, only the default budget. */
function budgetsOf({ epsilon: epsilons, budget, minimal = false }: LocalAttackFlags): NodeBudgetChoice[] {
  check(budget === undefined || epsilons === undefined, () => "--budget and --epsilon say the same; give one of them");
  if (budget !== undefined) return [{ budget, minimal }];
  return epsilons?.map((epsilon) => ({ epsilon, minimal })) ?? [{ minimal }];
}

function choiceOf(
  session: NodeSession,
  flags: LocalAttackFlags,
  options: Readonly<Record<string, unknown>>,
  seed: number,
): NodeAttackChoice {
  const { attack, surrogate, poison, weights, nodes = "selected", towards } = flags;
  return {
    ...trainedChoice(flags),
    ...given({ surrogate, poison, influence: influenceOf(flags) }),
    attack,
    options,
    seed,
    ...(nodes !== "selected" && { nodes: nodeList(session, seed, nodes, ["test"]) }),
    ...(towards !== undefined && { towards: classOf(session, towards) }),
    ...(weights !== undefined && { weights: fillIn(weights, { seed }) }),
  };
}

/** Refuses the names of other sets of nodes, which would be taken for ids. */
function checkNodes({ nodes = "selected" }: LocalAttackFlags): void {
  check(
    !/^(|train|val|all)$/.test(nodes),
    () => `--nodes must be selected, test or a list such as 0,5,9, got "${nodes}"`,
  );
}

function influenceOf({ influence }: LocalAttackFlags): Influence | undefined {
  if (influence === undefined) return undefined;
  const known: readonly Influence[] = ["direct", "influencer", "both"];
  const found = known.find((one) => one === influence);
  check(found !== undefined, () => `--influence must be ${known.join(", ")}, got "${influence}"`);
  return found;
}

/** The number of the class that has this name in the input. */
function classOf({ classes }: NodeSession, name: string): number {
  const found = classes.indexOf(name);
  check(found >= 0, () => `--towards: there is no class "${name}"; the classes are ${classes.join(", ")}`);
  return found;
}

async function write(out: string, session: NodeSession, { report, results }: LocalAttackRun): Promise<void> {
  const found = results.map(({ node, perturbation, actions }) => ({ node, flips: perturbation.flips, actions }));
  await writeNodeFlips(fillIn(out, templateValues(report)), found, session.ids);
}
