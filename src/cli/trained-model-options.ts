import type { Command } from "commander";
import { modelKinds } from "../defense/model-kinds.ts";
import type { TrainedChoice } from "../experiment/trained-model.ts";
import { type Assignments, GROUPS, given, type SessionFlags, sessionOptions, setOption } from "./options.ts";

/** The flags that name a model with weights, or one that is trained first. */
export interface TrainedModelFlags extends SessionFlags {
  readonly model?: string;
  readonly weights?: string;
  readonly force?: boolean;
  readonly set: Assignments;
}

/** Adds the options of {@link TrainedModelFlags}, with those of a session. */
export function trainedModelOptions(command: Command, verb: string): Command {
  command
    .optionsGroup(GROUPS.model)
    .option("--model <name>", `${Object.keys(modelKinds).join(", ")}; or list (default: that of the weights, or gcn)`)
    .option("--weights <file>", `${verb} the trained model in this file; without, one is trained first`)
    .option("--force", "take weights of another graph or split too");
  return sessionOptions(setOption(command));
}

/** The model that the flags choose. */
export function trainedChoice({ model, weights, force, set }: TrainedModelFlags): Omit<TrainedChoice, "seed"> {
  return given({ model, weights, force, set: set as Readonly<Record<string, string>> });
}
