import { Command, CommanderError } from "commander";
import { DeviceError, Interrupted, PartialFailure, UserError } from "../core/errors.ts";
import { packageVersion } from "../experiment/runner/run-facts.ts";
import { attackCommand } from "./attack.ts";
import { benchCommand } from "./bench/bench.ts";
import { certifyCommand } from "./certify.ts";
import { dataCommand } from "./data.ts";
import { demoCommand } from "./demo.ts";
import { evaluateCommand } from "./evaluate.ts";
import { predictCommand } from "./predict.ts";
import { reportCommand } from "./report.ts";
import { reproduceCommand } from "./reproduce.ts";
import { resultsCommand } from "./results.ts";
import { runStudyCommand } from "./run-study.ts";
import { serveCommand } from "./serve.ts";
import { statusCommand } from "./status.ts";
import { trainCommand } from "./train.ts";
import { tuneCommand } from "./tune.ts";
import { weightsCommand } from "./weights.ts";
import { workerCommand } from "./worker.ts";

const COMMANDS = {
  "Models and attacks:": [trainCommand, attackCommand, certifyCommand, evaluateCommand, predictCommand],
  "Graphs and weights:": [dataCommand, weightsCommand],
  "Studies:": [runStudyCommand, tuneCommand, resultsCommand, reportCommand, workerCommand, statusCommand, serveCommand],
  "Ready made:": [demoCommand, reproduceCommand, benchCommand],
};

/** Runs one command line, without the program's name; returns the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    await strict(program()).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function program(): Command {
  const all = new Command("rgnn")
    .description("Adversarial robustness of graph neural networks: train, attack, defend, compare")
    .version(packageVersion());
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    all.commandsGroup(heading);
    for (const make of commands) all.addCommand(make());
  }
  return all;
}

/** Makes a command and its subcommands throw on a mistake in their arguments, with a message of one line. */
function strict(command: Command): Command {
  command.exitOverride().configureOutput({
    outputError: (text, write) =>
      write(
        `rgnn: ${text
          .replace(/^error: /, "")
          .trim()
          .replaceAll(/\s*\n\s*/g, " ")}\n`,
      ),
  });
  for (const below of command.commands) strict(below);
  return command;
}

/**
 * Prints an error and returns the exit code: 2 and one line for a user's mistake; 130 and one line after Ctrl-C; 1 and
 * one line if a device or the system failed, or some runs of a study did; 1 and the stack for a bug of ours.
 */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UserError) {
    console.error(`rgnn: ${error.message}`);
    return 2;
  }
  if (error instanceof Interrupted) {
    console.error(`rgnn: ${error.message}`);
    return 130;
  }
  const isForeign = error instanceof DeviceError || error instanceof PartialFailure || isSystemError(error);
  console.error(isForeign ? `rgnn: ${error.message}` : error);
  return 1;
}

/** What the system refused, such as a write to a full disk. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
