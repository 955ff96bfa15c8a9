import { codeHash } from "./code-hash.ts";
import type { CellDescription, CodeDescription } from "./run-description.ts";

/** The code of this version that measures on a device, with models that learned there or on another one. */
export function codeFor(device: string, trainedOn = device): CodeDescription {
  return { training: codeHash("training", trainedOn), attack: codeHash("attack", device) };
}

/** Whether this version measures what a cell describes, and no other. */
export function isCurrentCode({ device, trainedOn, code }: CellDescription): boolean {
  const { training, attack } = codeFor(device, trainedOn);
  return code.training === training && code.attack === attack;
}
