import type { Command } from "commander";
import { lookup } from "../core/errors.ts";
import { schemaOf } from "../core/options/index.ts";
import { modelKinds, presets } from "../defense/model-kinds.ts";
import { left } from "../experiment/table-column.ts";
import { resolveHyperparameters } from "../nn/models/hyperparameters.ts";
import { presetOf } from "../nn/models/presets.ts";
import { optionTable } from "./option-table.ts";
import { type Assignments, allowOnly } from "./options.ts";
import { formatTable } from "./table.ts";

interface ModelFlags {
  readonly model?: string;
  readonly set: Assignments;
  readonly dataset: string;
  readonly json?: boolean;
}

/** What `--model list` or `--model gcn --set list` asks to be told; null if the user asked for neither. */
export function modelList(flags: ModelFlags, command: Command): string | null {
  const { model = "gcn", set, dataset, json } = flags;
  if (model === "list") {
    allowOnly(command, "--model list", ["model", "json"]);
    return json ? JSON.stringify({ models: Object.keys(modelKinds).map(schemasOf) }) : allModels();
  }
  if (set !== "list") return null;
  allowOnly(command, "--set list", ["model", "set", "dataset", "json"]);
  lookup(modelKinds, model, "model");
  return json ? JSON.stringify(schemasOf(model)) : hyperparameters(model, dataset);
}

function allModels(): string {
  const rows = Object.entries(modelKinds).map(([name, { summary }]) => [name, summary]);
  const table = formatTable([left("model"), left("about")], rows);
  return `${table}\n\nHyperparameters of one of them: --model gcn --set list`;
}

/** Hyperparameters with their defaults on a dataset, which may have a preset. */
function hyperparameters(name: string, dataset: string): string {
  const kind = modelKinds[name];
  const preset = presetOf(presets, name, dataset);
  const values = resolveHyperparameters(name, kind, preset.values);
  return [
    `${name}: ${kind.summary}`,
    optionTable(kind.options, values.model),
    "",
    "training",
    optionTable(kind.trainingOptions, values.training),
    "",
    `Defaults on ${dataset} (preset ${preset.name}).`,
  ].join("\n");
}

/** The same for programs: hyperparameters as JSON schemas. */
function schemasOf(name: string) {
  const { summary, options, trainingOptions } = modelKinds[name];
  return { name, summary, options: schemaOf(options), training: schemaOf(trainingOptions) };
}
