import { type Command, InvalidArgumentError, Option } from "commander";
import type { Precision } from "../backend/webgpu/webgpu.ts";
import { check } from "../core/errors.ts";
import { SPLIT_FORMS } from "../data/split-choice.ts";
import type { NodeSession } from "../experiment/node-session.ts";
import { openForModel } from "../experiment/on-store/open-for-model.ts";
import { openSession, type Session, type SessionOptions } from "../experiment/session.ts";
import { seedList, wholeNumber } from "./number-options.ts";

/** Headings in the help of commands. Options come in the group that was begun last (`optionsGroup`). */
export const GROUPS = {
  attack: "Attack:",
  certificates: "Noise and certificates:",
  evaluation: "What to look at:",
  flips: "Which flips are allowed:",
  graph: "Graph:",
  measured: "What to measure:",
  model: "Model:",
  nodes: "Attacks on single nodes:",
  run: "Device, seed and output:",
} as const;

/** Adds the options that commands share, with the same help everywhere. */
export function sessionOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.graph)
    .option("--dataset <name>", "name of a known graph, or a path to a file or folder", "synthetic-citation")
    .option("--directed", "keep the directions of the edges")
    .option("--all-components", "keep all nodes, not only the largest component")
    .option("--ignore-weights", "take every edge as one of weight 1, whatever the input says")
    .option("--binary-features", "every feature that is not 0 becomes 1, as certificates want it")
    .option("--adjacency <path>", "take the edges from this file or folder, everything else from --dataset")
    .option("--split <split>", `nodes to train, validate and test on: ${SPLIT_FORMS} (default: the published one)`)
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .optionsGroup(GROUPS.run)
    .option(
      "--device <device>",
      "cpu, webgpu, or auto: a GPU for large graphs where there is one ($RGNN_GPU: part of its name)",
      "auto",
    )
    .addOption(precisionOption())
    .option("--threads <n>", "worker threads of the CPU (default: all cores)", wholeNumber)
    .option(
      "--seed <n>",
      "seed of the split and of every random choice; some commands take several: 0,1,5 or 0-31",
      seedList,
      [0],
    )
    .option("--json", "print one JSON object instead of a table");
}

/** How a GPU stores rows that it gathers often, and multiplies large matrices. */
export function precisionOption(): Option {
  const help =
    "how a GPU keeps rows that it gathers often, and multiplies large matrices: in 32 bits (single) or in 16 (half), which is faster (default: single)";
  return new Option("--precision <name>", help).choices(["single", "half"]);
}

export function setOption(command: Command): Command {
  return command.option(
    "--set <name=value>",
    "replace a hyperparameter of the model, such as hidden=64,64; may be repeated; or list, to explain them",
    assignmentOrList,
    {},
  );
}

/** What `name=value` says, repeated, or the word `list`. */
export type Assignments = Readonly<Record<string, string>> | "list";

export function assignmentOrList(text: string, before: Assignments): Assignments {
  if (text === "list" || before === "list") return "list";
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError(`must look like name=value, got "${text}".`);
  const name = text.slice(0, at);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`names ${name} twice.`);
  return { ...before, [name]: text.slice(at + 1) };
}

/** Throws if the user gave a flag that is not in `used` (rule R3). `where` tells the message what was asked for. */
export function allowOnly(command: Command, where: string, used: readonly string[]): void {
  const unused = command.options.find(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === "cli" && !used.includes(option.attributeName()),
  );
  check(unused === undefined, () => `${where} does not use ${unused?.long}; leave it out`);
}

/** The options of commander that belong to a session. */
export interface SessionFlags {
  readonly dataset: string;
  readonly directed?: boolean;
  readonly allComponents?: boolean;
  readonly ignoreWeights?: boolean;
  readonly binaryFeatures?: boolean;
  readonly adjacency?: string;
  readonly split?: string;
  readonly dataDir?: string;
  readonly device: string;
  readonly precision?: Precision;
  readonly threads?: number;
  readonly seed: readonly number[];
  readonly json?: boolean;
}

/** The seed of a command that makes one run. */
export function oneSeed(command: string, { seed }: SessionFlags): number {
  check(seed.length === 1, () => `rgnn ${command} takes one seed, got --seed ${seed.join()}`);
  return seed[0];
}

/** The options of a session among the flags of a command. */
export function sessionOf(flags: SessionFlags): SessionOptions {
  const { dataset, directed, allComponents, ignoreWeights, binaryFeatures, adjacency, split } = flags;
  const { dataDir, device, precision, threads } = flags;
  const preparation = { directed, allComponents, ignoreWeights, binaryFeatures, adjacency };
  return given({ dataset, ...preparation, split, dataDir, device, precision, threads });
}

/** Opens the session that the flags ask for and tells on stderr what was left out, assumed or chosen. */
export async function openAnnounced(flags: SessionFlags): Promise<Session> {
  const session = await openSession(sessionOf(flags));
  for (const note of session.notes) console.error(note);
  return session;
}

/** The same for one model: if it can learn from rows of a graph store, the store stays on the disk. */
export async function openAnnouncedFor(flags: SessionFlags, model: string): Promise<NodeSession> {
  const session = await openForModel(sessionOf(flags), model);
  for (const note of session.notes) console.error(note);
  return session;
}

/** The values without those that are undefined, such as flags that the user left out. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

type Given<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
