import { check, DataError } from "../../core/errors.ts";
import type { RngState } from "../../core/rng.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { StoredTensor } from "../weights/safetensors.ts";
import { hostCopy } from "../weights/weights.ts";

/** All that a run needs to resume after an epoch as if it had never stopped. */
export interface TrainingState {
  /** Steps of the optimiser so far. */
  readonly steps: number;
  readonly rng: RngState;
  /** Losses of every epoch so far. */
  readonly trainLoss: readonly number[];
  readonly valLoss: readonly number[];
  /** Weights, moments of the optimiser and the best weights so far, by name. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** Keeps the state of a run between epochs. */
export interface Checkpoints {
  /** The name of the place in error messages. */
  readonly where: string;
  /** What was saved last, if anything was. */
  load(): TrainingState | null;
  /** True when it is time to save again. A save costs about as much as saving weights. */
  isDue(): boolean;
  save(state: TrainingState): Promise<void>;
}

/** Copies of tensors on the host. */
export async function copiesOf(tensors: ReadonlyMap<string, Tensor>): Promise<Map<string, StoredTensor>> {
  const copies = new Map<string, StoredTensor>();
  for (const [name, tensor] of tensors) copies.set(name, await hostCopy(tensor));
  return copies;
}

/** Overwrites tensors with saved copies; each must have a copy of its name and shape. */
export function assignCopies(
  tensors: ReadonlyMap<string, Tensor>,
  saved: ReadonlyMap<string, StoredTensor>,
  where: string,
): void {
  for (const [name, { shape }] of tensors) {
    const same = saved.get(name)?.shape.join() === shape.join();
    check(same, () => `${where}: ${name} is missing or has another shape; remove the file to start anew`, DataError);
  }
  for (const [name, tensor] of tensors) tensor.assign(saved.get(name)!.data);
}
