import { Command } from "commander";
import { createReference } from "../backend/reference/reference.ts";
import { exportPyg, importPyg, loadModel, saveWeights } from "../files/weights-files.ts";
import { checkWritable } from "../files/write-atomically.ts";
import type { PygOptions } from "../nn/weights/pyg-layout.ts";
import { wholeNumber } from "./number-options.ts";
import { given } from "./options.ts";
import { pythonToLoad, pythonToSave } from "./python-lines.ts";
import { formatFacts } from "./table.ts";

interface WeightsFlags {
  readonly out: string;
  readonly json?: boolean;
}

interface ImportFlags extends WeightsFlags {
  readonly steps?: number;
  readonly activation?: "relu" | "identity";
  readonly dataset?: string;
}

/** `rgnn weights import <file> | export <file>` */
export function weightsCommand(): Command {
  const weights = new Command("weights").description("Exchange trained models with PyTorch Geometric");
  weights
    .command("import")
    .description("Make weights of ours from a model of PyTorch Geometric (GCNConv, GATConv with one head, SGConv)")
    .argument("<file>", "safetensors file of its state dict; see below for the Python that writes it")
    .requiredOption("--out <file>", "write the weights here, as safetensors")
    .option("--steps <n>", "K of an SGConv, which the file does not say (default: 2)", wholeNumber)
    .option("--activation <name>", "relu or identity: between GCNConvs, which the file does not say (default: relu)")
    .option("--dataset <name>", "the graph that it was trained on, for the file to remember")
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nIn Python, with a trained model:\n${indented(pythonToSave("pyg.safetensors"))}`)
    .action(importWeights);
  weights
    .command("export")
    .description("Write a gcn, gat or sgc so that PyTorch Geometric can load it")
    .argument("<file>", "weights that rgnn train --out wrote")
    .requiredOption("--out <file>", "write the state dict here, as safetensors")
    .option("--json", "print one JSON object instead of a table")
    .action(exportWeights);
  return weights;
}

async function importWeights(file: string, { out, json, dataset, ...flags }: ImportFlags): Promise<void> {
  const options: PygOptions = given({ steps: flags.steps, activation: flags.activation });
  const imported = importPyg(file, options);
  await checkWritable(out);
  const backend = createReference();
  const model = imported.build(backend);
  const { kind, sizes, found } = imported;
  await saveWeights(model, out, { kind, sizes, ...given({ dataset }) });
  await backend.close();
  const use = `rgnn evaluate --dataset ${dataset ?? "NAME"} --weights ${out}`;
  if (json) console.log(JSON.stringify({ model: kind, sizes, found, out }));
  else console.log(formatFacts({ model: found, written: out, "try it": use }));
}

async function exportWeights(file: string, { out, json }: WeightsFlags): Promise<void> {
  const backend = createReference();
  const { model, config } = loadModel(backend, file);
  await checkWritable(out);
  await exportPyg(model, out);
  await backend.close();
  const python = pythonToLoad(out, config);
  if (json) console.log(JSON.stringify({ model: config.kind, sizes: config.sizes, out, python }));
  else console.log(`${formatFacts({ model: config.kind, written: out })}\n\nIn Python:\n${indented(python)}`);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}
