import { Command } from "commander";
import type { AttackResult } from "../attack/attack.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { localAttacks } from "../attack/local/local-attacks.ts";
import { lossNames } from "../attack/losses.ts";
import { objectiveByName } from "../attack/objective.ts";
import { check, lookup } from "../core/errors.ts";
import { type Description, parseOptions } from "../core/options/index.ts";
import type { AttackReport, BudgetChoice, VictimChoice } from "../experiment/attack-victim.ts";
import { attackSeeds, summariseAttacks } from "../experiment/run-several.ts";
import type { Session } from "../experiment/session.ts";
import { writeFlips } from "../files/flips-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { writeGraph } from "../files/write-graph.ts";
import { applyFlips } from "../graph/flips.ts";
import { attackList, attacks } from "./attack-list.ts";
import { accuracyText, describeAttack, describeAttacks } from "./attack-text.ts";
import { type ConstraintFlags, constraintOptions, constraintRules } from "./constraint-options.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { localAttackOptions, refuseLocalFlags, runLocalAttack } from "./local-attack.ts";
import { modelList } from "./model-list.ts";
import { checkTemplate, fillIn } from "./name-template.ts";
import { nodeList } from "./node-list.ts";
import { epsilonList, wholeNumber } from "./number-options.ts";
import { type Assignments, assignmentOrList, GROUPS, given, openAnnounced } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { checkSaving, saveToCollection } from "./save-collection.ts";
import { type TrainedModelFlags, trainedChoice, trainedModelOptions } from "./trained-model-options.ts";
import { warn } from "./warn.ts";

interface AttackFlags extends TrainedModelFlags, ConstraintFlags {
  readonly surrogate?: string;
  readonly attack: string;
  readonly epsilon?: readonly number[];
  readonly budget?: number;
  readonly loss?: string;
  readonly objective?: string;
  readonly blockSize?: string;
  readonly epochs?: string;
  readonly polish?: string | false;
  readonly time?: string;
  readonly option: Assignments;
  readonly nodes?: string;
  readonly poison?: boolean;
  readonly out?: string;
  readonly saveCollection?: string;
}

/** `rgnn attack` */
export function attackCommand(): Command {
  const command = new Command("attack").description("Attack a model and report how far its accuracy falls");
  command
    .optionsGroup(GROUPS.attack)
    .option(
      "--attack <name>",
      `all nodes at once: ${Object.keys(globalAttacks).join(", ")}; single nodes: ${Object.keys(localAttacks).join(", ")}; or list, to explain them`,
      "prbcd",
    )
    .option(
      "--epsilon <share>",
      "budget as a share of the edges (default 0.1), or of those of a single node (default 0.5); several: 0.05,0.1 or 0.01:0.1:4 (from, to, how many)",
      epsilonList,
    )
    .option(
      "--budget <flips>",
      "budget as a number of flips, for each node where single ones are attacked",
      wholeNumber,
    )
    .option("--loss <name>", `what to maximise: ${lossNames.join(", ")} (default: the attack's own)`)
    .option(
      "--objective <name>",
      "what to lower: accuracy, margin, or targeted:<class>; brings its own loss unless --loss is given",
    )
    .option("--block-size <pairs>", "candidates considered at once, where the attack has blocks")
    .option("--epochs <n>", "steps of the attack, where it has them")
    .option(
      "--polish <rounds>",
      "rounds of polish after the attack: drop useless flips, spend what is free on better ones",
    )
    .option("--no-polish", "keep the flips as the attack found them")
    .option("--time <seconds>", "end the attack after this time, where it can go on and on (auto, eva)")
    .option(
      "--option <name=value>",
      "any option of the attack; may be repeated; or list, to explain them",
      assignmentOrList,
      {},
    )
    .option(
      "--nodes <nodes>",
      "nodes to attack: test (default), or a list of ids in the input such as 0,5,9; single nodes: also selected (their default), 40 test nodes as in the published experiments",
    )
    .option("--surrogate <name>", "find the flips on this model instead, and transfer them")
    .option("--poison", "train the model anew on the perturbed graph before it is evaluated");
  trainedModelOptions(localAttackOptions(constraintOptions(command)), "attack")
    .option(
      "--out <file>",
      "write the flips (.csv) or the perturbed graph (.npz) here; {seed} and {epsilon} stand for those of a run",
    )
    .option(
      "--save-collection <place>",
      "keep the flips in this collection (.json, or a folder) if they are the strongest for graph, split, budget and model",
    )
    .addHelpText(
      "after",
      "\nExample:\n  rgnn attack --dataset cora_ml --model gcn --attack prbcd --epsilon 0.05 --out flips.csv\n  rgnn attack --dataset cora_ml --seed 0,1,5 --epsilon 0.01:0.1:4\n  rgnn attack --dataset cora_ml --attack nettack --nodes 17,42 --minimal",
    )
    .action(run);
  return command;
}

async function run(flags: AttackFlags, command: Command): Promise<void> {
  const list = attackList(flags, command) ?? modelList(flags, command);
  if (list !== null) return console.log(list);
  lookup(attacks, flags.attack, "attack");
  if (Object.hasOwn(localAttacks, flags.attack)) {
    const { options } = localAttacks[flags.attack];
    return runLocalAttack(
      flags,
      parseOptions(flags.attack, options, optionTexts(flags.attack, options, flags)),
      command,
    );
  }
  refuseLocalFlags(flags.attack, command);
  const { json, seed: seeds, out, saveCollection } = flags;
  checkFiles(flags);
  const choice = choiceOf(flags);
  const budgets = budgetsOf(flags);
  const numRuns = seeds.length * budgets.length;
  for (const file of filesOf(flags)) await checkWritable(file);
  const session = await openAnnounced(flags);
  const bar = new ProgressBar();
  const reports: AttackReport[] = [];
  try {
    const choices = seeds.map((seed) => forSeed(session, choice, flags, seed));
    if (saveCollection !== undefined) await checkSaving(session, choices, saveCollection);
    await interruptible(async (signal) => {
      for await (const { report, result } of attackSeeds(session, choices, budgets, { progress: bar, signal, warn })) {
        bar.finish();
        reports.push(report);
        if (numRuns > 1) console.error(`seed ${report.seed}, epsilon ${report.epsilon}: ${accuracyText(report)}`);
        if (out) await write(fillIn(out, report), session, result, report.seed);
        if (saveCollection !== undefined) await saveToCollection(session, { report, result }, saveCollection);
      }
    }).finally(() => bar.finish());
  } finally {
    await session.close();
  }
  const several = summariseAttacks(reports, numRuns);
  if (numRuns > 1) console.log(json ? JSON.stringify(several) : describeAttacks(several, out));
  else console.log(json ? JSON.stringify(reports[0]) : describeAttack(reports[0], out));
  endIfInterrupted(several.interrupted);
}

function checkFiles({ out, weights, seed, epsilon = [] }: AttackFlags): void {
  check(
    out === undefined || /\.(csv|npz)$/.test(out),
    () => `--out must end in .csv (flips) or .npz (graph), got ${out}`,
  );
  if (out !== undefined) checkTemplate("--out", out, { seed, epsilon });
  if (weights !== undefined) checkTemplate("--weights", weights, { seed });
}

function filesOf({ out, seed: seeds, epsilon: epsilons = [] }: AttackFlags): string[] {
  if (out === undefined) return [];
  if (epsilons.length === 0) return seeds.map((seed) => fillIn(out, { seed }));
  return seeds.flatMap((seed) => epsilons.map((epsilon) => fillIn(out, { seed, epsilon })));
}

/** The budgets to run with every seed; without flags, only the default budget. */
function budgetsOf({ epsilon: epsilons, budget }: AttackFlags): BudgetChoice[] {
  check(budget === undefined || epsilons === undefined, () => "--budget and --epsilon say the same; give one of them");
  if (budget !== undefined) return [{ budget }];
  return epsilons?.map((epsilon) => ({ epsilon })) ?? [{}];
}

/** What all runs have in common. */
function choiceOf(flags: AttackFlags): Omit<VictimChoice, "seed"> {
  const { surrogate, attack, poison } = flags;
  const kind = lookup(globalAttacks, attack, "attack");
  const { loss, ...texts } = optionTexts(attack, kind.options, flags);
  const options = parseOptions(attack, kind.options, texts);
  return { ...trainedChoice(flags), ...given({ surrogate, attack, loss, options, poison }) };
}

function forSeed(session: Session, choice: Omit<VictimChoice, "seed">, flags: AttackFlags, seed: number): VictimChoice {
  const { weights, nodes = "test", objective } = flags;
  const constraints = constraintRules(session, seed, flags);
  return {
    ...choice,
    seed,
    nodes: nodeList(session, seed, nodes, ["test"]),
    ...(constraints && { constraints }),
    ...(objective !== undefined && { objective: objectiveByName(objective, session.classes) }),
    ...(weights !== undefined && { weights: fillIn(weights, { seed }) }),
  };
}

/** Flags that stand for an option of the attack, by the name of that option. */
const SHORTHANDS = {
  loss: "--loss",
  blockSize: "--block-size",
  epochs: "--epochs",
  polish: "--polish",
  seconds: "--time",
} as const;

/** The options of the attack from `--option` and the shorthands. Giving an option by both is an error. */
function optionTexts(attack: string, options: Description, flags: AttackFlags): Record<string, string> {
  const texts: Record<string, string> = { ...(flags.option as Readonly<Record<string, string>>) };
  const { loss, blockSize, epochs, time: seconds } = flags;
  const polish = flags.polish === false ? "0" : flags.polish;
  const given: Record<keyof typeof SHORTHANDS, string | undefined> = { loss, blockSize, epochs, polish, seconds };
  for (const name of Object.keys(SHORTHANDS) as (keyof typeof SHORTHANDS)[]) {
    const text = given[name];
    if (text === undefined) continue;
    const flag = SHORTHANDS[name];
    check(
      Object.hasOwn(options, name),
      () => `${attack} has no ${flag}; its options are ${Object.keys(options).join(", ")}`,
    );
    check(!Object.hasOwn(texts, name), () => `${flag} and --option ${name} say the same; give one of them`);
    texts[name] = text;
  }
  return texts;
}

async function write(out: string, session: Session, { perturbation }: AttackResult, seed: number): Promise<void> {
  const { graph, ids } = session;
  const { flips } = perturbation;
  const splits = { public: session.split(seed) };
  if (out.endsWith(".npz")) await writeGraph(applyFlips(graph, flips), out, { ids, classes: session.classes, splits });
  else await writeFlips(out, graph, flips, ids);
}
