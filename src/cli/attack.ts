import { Command } from "commander";
import type { AttackResult } from "../attack/attack.ts";
import { type AttackKind, globalAttacks } from "../attack/global-attacks.ts";
import { lossNames } from "../attack/losses.ts";
import { check, lookup } from "../core/errors.ts";
import { parseOptions } from "../core/options/index.ts";
import { type AttackReport, attackVictim, type VictimChoice } from "../experiment/attack-victim.ts";
import { modelKinds } from "../experiment/models.ts";
import type { Session } from "../experiment/session.ts";
import { writeFlips } from "../files/flips-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { writeGraph } from "../files/write-graph.ts";
import { applyFlips } from "../graph/flips.ts";
import { attackList } from "./attack-list.ts";
import { interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import {
  type Assignments,
  assignmentOrList,
  given,
  openAnnounced,
  realNumber,
  type SessionFlags,
  sessionOptions,
  setOption,
  wholeNumber,
} from "./options.ts";
import { parseNodes } from "./parse-nodes.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatBytes, formatFacts } from "./table.ts";

interface AttackFlags extends SessionFlags {
  readonly model?: string;
  readonly weights?: string;
  readonly surrogate?: string;
  readonly attack: string;
  readonly epsilon?: number;
  readonly budget?: number;
  readonly loss?: string;
  readonly blockSize?: string;
  readonly epochs?: string;
  readonly option: Assignments;
  readonly nodes: string;
  readonly poison?: boolean;
  readonly out?: string;
  readonly set: Assignments;
}

/** `rgnn attack` */
export function attackCommand(): Command {
  const command = new Command("attack").description("Attack a model and report how far its accuracy falls");
  setOption(sessionOptions(command))
    .option("--model <name>", `${Object.keys(modelKinds).join(", ")}; or list (default: that of the weights, or gcn)`)
    .option("--weights <file>", "attack the trained model in this file; without, one is trained first")
    .option("--surrogate <name>", "find the flips on this model instead, and transfer them")
    .option("--attack <name>", `${Object.keys(globalAttacks).join(", ")}; or list, to explain them`, "prbcd")
    .option("--epsilon <share>", "budget as a share of the edges (default 0.1)", realNumber)
    .option("--budget <flips>", "budget as a number of flips", wholeNumber)
    .option("--loss <name>", `what to maximise: ${lossNames.join(", ")} (default: the attack's own)`)
    .option("--block-size <pairs>", "candidates considered at once, where the attack has blocks")
    .option("--epochs <n>", "steps of the attack, where it has them")
    .option(
      "--option <name=value>",
      "any option of the attack; may be repeated; or list, to explain them",
      assignmentOrList,
      {},
    )
    .option("--nodes <nodes>", "nodes to attack: test, or a list of ids in the input such as 0,5,9", "test")
    .option("--poison", "train the model anew on the perturbed graph before it is evaluated")
    .option("--out <file>", "write the flips (.csv) or the perturbed graph (.npz) here")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn attack --dataset cora_ml --model gcn --attack prbcd --epsilon 0.05 --out flips.csv",
    )
    .action(run);
  return command;
}

async function run(flags: AttackFlags, command: Command): Promise<void> {
  const list = attackList(flags, command) ?? modelList(flags, command);
  if (list !== null) return console.log(list);
  const { json, out } = flags;
  check(
    out === undefined || /\.(csv|npz)$/.test(out),
    () => `--out must end in .csv (flips) or .npz (graph), got ${out}`,
  );
  const choice = choiceOf(flags);
  if (out) await checkWritable(out);
  const session = await openAnnounced(flags);
  const bar = new ProgressBar();
  try {
    const nodes = flags.nodes === "test" ? undefined : parseNodes(flags.nodes, session);
    const { report, result } = await interruptible((signal) =>
      attackVictim(session, given({ ...choice, nodes }), { progress: bar, signal }).finally(() => bar.finish()),
    );
    if (out) await write(out, session, result, flags.seed);
    console.log(json ? JSON.stringify(report) : describe(report, out));
  } finally {
    await session.close();
  }
}

function choiceOf(flags: AttackFlags): VictimChoice {
  const { model, weights, surrogate, attack, epsilon, budget, seed, poison } = flags;
  const kind = lookup(globalAttacks, attack, "attack");
  const { loss, ...texts } = optionTexts(attack, kind, flags);
  const options = parseOptions(attack, kind.options, texts);
  const set = flags.set as Readonly<Record<string, string>>;
  return given({ model, set, weights, surrogate, attack, epsilon, budget, loss, options, seed, poison });
}

/** Flags that stand for an option of the attack, by its name. */
const SHORTHANDS = { loss: "--loss", blockSize: "--block-size", epochs: "--epochs" } as const;

/** What `--option` and the shorthands say about the attack, each option once. */
function optionTexts(attack: string, { options }: AttackKind, flags: AttackFlags): Record<string, string> {
  const texts: Record<string, string> = { ...(flags.option as Readonly<Record<string, string>>) };
  for (const name of Object.keys(SHORTHANDS) as (keyof typeof SHORTHANDS)[]) {
    const text = flags[name];
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

function describe(report: AttackReport, out: string | undefined): string {
  const { accuracy, flips, budget } = report;
  const found = report.setting === "direct" ? "" : `, flips found on ${report.surrogate}`;
  return formatFacts({
    attack: `${report.attack} on ${report.model}, ${report.dataset}, seed ${report.seed}${found}, ${report.time}`,
    accuracy: `${accuracy.clean.toFixed(4)} clean, ${accuracy.adversarial.toFixed(4)} after the attack (${report.numTargets} nodes)`,
    flips: `${flips.added + flips.removed} of ${budget} allowed: ${flips.added} added, ${flips.removed} removed`,
    time: `${report.seconds.toFixed(1)} s, ${(1000 * report.secondsPerEpoch).toFixed(1)} ms per epoch, ${report.epochs} epochs`,
    memory: formatBytes(report.peakBytes),
    ...(report.interrupted && { note: "interrupted: this is the best perturbation so far" }),
    ...(out && { written: out }),
  });
}
