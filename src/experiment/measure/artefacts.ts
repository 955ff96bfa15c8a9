import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AttackCost } from "../../attack/attack.ts";
import type { RngState } from "../../core/rng.ts";
import type { NodeIds } from "../../data/node-ids.ts";
import { readFlips, writeFlips } from "../../files/flips-file.ts";
import { loadWeights, saveWeights } from "../../files/weights-files.ts";
import { writeAtomically } from "../../files/write-atomically.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Graph } from "../../graph/graph.ts";
import type { Model } from "../../nn/model.ts";
import type { WeightsFacts } from "../../nn/weights/weights.ts";
import type { AttackCurve, TrainingCurve } from "../details/epoch-curve.ts";

/** Flips on disk, with all that an attack needs to continue from them. */
export interface KeptFlips {
  readonly flips: Flips;
  /** Cost of finding them, including the flips that they continue from. */
  readonly report: AttackCost & { readonly curve?: AttackCurve | null };
  /** State of the attack's random generator at the end. */
  readonly rng: RngState;
}

/**
 * Trained models and flips in a folder, named by all that determines them, so that studies of any store can reuse them.
 * Files are written as a whole or not at all (rule D1); two processes that make the same file write the same content.
 */
export class Artefacts {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  weightsFile(id: string): string {
    return join(this.folder, "models", id.slice(0, 2), `${id}.safetensors`);
  }

  flipsFile(id: string): string {
    return join(this.folder, "flips", id.slice(0, 2), `${id}.csv`);
  }

  /** Loads kept weights into a model; false if there are none. */
  loadWeights(id: string, model: Model): boolean {
    const file = this.weightsFile(id);
    if (!existsSync(file)) return false;
    loadWeights(model, file);
    return true;
  }

  /** Saves a trained model and its training curve. */
  async saveWeights(id: string, model: Model, facts: WeightsFacts, training: TrainingCurve): Promise<void> {
    const file = this.weightsFile(id);
    await writeAtomically(factsFile(file), JSON.stringify(training)); // first: weights never lack their curve
    await saveWeights(model, file, facts);
  }

  /** The training curve of a kept model; null if it was saved before curves were kept. */
  loadTraining(id: string): TrainingCurve | null {
    const file = factsFile(this.weightsFile(id));
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TrainingCurve) : null;
  }

  /** The flips that were kept; null if there are none. */
  loadFlips(id: string, graph: Graph, ids: NodeIds): KeptFlips | null {
    const file = this.flipsFile(id);
    if (!existsSync(file)) return null;
    const facts = JSON.parse(readFileSync(factsFile(file), "utf8")) as Omit<KeptFlips, "flips">;
    return { ...facts, flips: readFlips(file, graph, ids) };
  }

  async saveFlips(id: string, graph: Graph, ids: NodeIds, { flips, report, rng }: KeptFlips): Promise<void> {
    const file = this.flipsFile(id);
    await writeAtomically(factsFile(file), JSON.stringify({ report, rng })); // first: flips never lack their facts
    await writeFlips(file, graph, flips, ids);
  }
}

/** The JSON file beside a kept file, with facts about it. */
function factsFile(file: string): string {
  return file.replace(/\.(csv|safetensors)$/, ".json");
}
