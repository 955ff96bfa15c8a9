import { Command } from "commander";
import type { AttackResult } from "../attack/attack.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lossNames } from "../attack/losses.ts";
import { check, lookup } from "../core/errors.ts";
import { type AttackReport, attackVictim, type VictimChoice } from "../experiment/attack-victim.ts";
import { modelKinds } from "../experiment/models.ts";
import { openSession, type Session } from "../experiment/session.ts";
import { writeFlips } from "../files/flips-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { writeGraph } from "../files/write-graph.ts";
import { applyFlips } from "../graph/flips.ts";
import { attackList } from "./attack-list.ts";
import { interruptible } from "./interrupt.ts";
import { assignment, realNumber, type SessionFlags, sessionOptions, setOption, wholeNumber } from "./options.ts";
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
  readonly blockSize?: number;
  readonly epochs?: number;
  readonly option: Record<string, string>;
  readonly nodes: string;
  readonly poison?: boolean;
  readonly out?: string;
  readonly set: Record<string, string>;
}

/** `rgnn attack` */
export function attackCommand(): Command {
  const command = new Command("attack").description("Attack a model and report how far its accuracy falls");
  setOption(sessionOptions(command))
    .option("--model <name>", `${Object.keys(modelKinds).join(", ")} (default: that of the weights, or gcn)`)
    .option("--weights <file>", "attack the trained model in this file; without, one is trained first")
    .option("--surrogate <name>", "find the flips on this model instead, and transfer them")
    .option("--attack <name>", `${Object.keys(globalAttacks).join(", ")}; or list, to explain them`, "prbcd")
    .option("--epsilon <share>", "budget as a share of the edges (default 0.1)", realNumber)
    .option("--budget <flips>", "budget as a number of flips", wholeNumber)
    .option("--loss <name>", `what to maximise: ${lossNames.join(", ")} (default: the attack's own)`)
    .option("--block-size <pairs>", "candidates considered at once", wholeNumber)
    .option("--epochs <n>", "steps of the attack", wholeNumber)
    .option("--option <name=value>", "any other option of the attack; may be repeated", assignment, {})
    .option("--nodes <nodes>", "nodes to attack: test, or a list such as 0,5,9", "test")
    .option("--poison", "train the model anew on the perturbed graph before it is evaluated")
    .option("--out <file>", "write the flips (.csv) or the perturbed graph (.npz) here")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn attack --dataset cora_ml --model gcn --attack prbcd --epsilon 0.05 --out flips.csv",
    )
    .action(run);
  return command;
}

async function run(flags: AttackFlags): Promise<void> {
  if (flags.attack === "list") return console.log(attackList());
  const { json, out } = flags;
  check(
    out === undefined || /\.(csv|npz)$/.test(out),
    () => `--out must end in .csv (flips) or .npz (graph), got ${out}`,
  );
  const choice = choiceOf(flags);
  if (out) await checkWritable(out);
  const session = await openSession(flags);
  const bar = new ProgressBar();
  try {
    const { report, result } = await interruptible((signal) =>
      attackVictim(session, choice, { progress: bar, signal }).finally(() => bar.finish()),
    );
    if (out) await write(out, session, result);
    console.log(json ? JSON.stringify(report) : describe(report, out));
  } finally {
    await session.close();
  }
}

function choiceOf(flags: AttackFlags): VictimChoice {
  const { nodes, blockSize, epochs, option, ...choice } = flags;
  const named = { ...(blockSize !== undefined && { blockSize }), ...(epochs !== undefined && { epochs }) };
  const given = parseOptions(flags.attack, option);
  return { ...choice, options: { ...given, ...named }, ...(nodes !== "test" && { nodes: parseNodes(nodes) }) };
}

/** Texts as the type of each option's default; unknown names and other texts are left for the attack to refuse. */
function parseOptions(attack: string, given: Readonly<Record<string, string>>): Record<string, unknown> {
  const { defaults } = lookup(globalAttacks, attack, "attack");
  const parse = ([name, text]: [string, string]) => {
    const isNumber = typeof defaults[name] === "number" && text.trim() !== "" && !Number.isNaN(Number(text));
    return [name, isNumber ? Number(text) : text];
  };
  return Object.fromEntries(Object.entries(given).map(parse));
}

function parseNodes(text: string): number[] {
  check(/^\d+(,\d+)*$/.test(text), () => `--nodes must be test or a list such as 0,5,9, got "${text}"`);
  const nodes = text.split(",").map(Number);
  const twice = nodes.find((node, k) => nodes.indexOf(node) !== k);
  check(twice === undefined, () => `--nodes names node ${twice} twice; name each once`);
  return nodes;
}

async function write(out: string, { graph }: Session, { flips }: AttackResult): Promise<void> {
  if (out.endsWith(".npz")) await writeGraph(applyFlips(graph, flips), out);
  else await writeFlips(out, graph, flips);
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
