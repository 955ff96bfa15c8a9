import { type Command, InvalidArgumentError } from "commander";

/** Options that commands share, in the same words everywhere. */
export function sessionOptions(command: Command): Command {
  return command
    .option("--dataset <name>", "name of a known graph, or a path to a file or folder", "synthetic-citation")
    .option("--directed", "keep the directions of the edges")
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--device <device>", "cpu, webgpu, or auto for the CPU", "auto")
    .option("--threads <n>", "worker threads of the CPU", wholeNumber)
    .option("--seed <n>", "seed of the split and of every random choice", wholeNumber, 0)
    .option("--json", "print one JSON object instead of a table");
}

export function setOption(command: Command): Command {
  return command.option(
    "--set <name=value>",
    "replace a hyperparameter of the model, such as hidden=64,64; may be repeated",
    assignment,
    {},
  );
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(`must be a whole number, got "${text}".`);
  return value;
}

export function realNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError(`must be a number, got "${text}".`);
  return value;
}

export function assignment(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError(`must look like name=value, got "${text}".`);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** The options of commander that belong to a session. */
export interface SessionFlags {
  readonly dataset: string;
  readonly directed?: boolean;
  readonly dataDir?: string;
  readonly device: string;
  readonly threads?: number;
  readonly seed: number;
  readonly json?: boolean;
}
