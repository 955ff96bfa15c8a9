import { codeHash } from "./code-hash.ts";
import type { CellDescription, CodeDescription } from "./run-description.ts";

/** The code of this version that measures on a device, with models that learned there or on another one. */
export function codeFor(device: string, trainedOn = device): CodeDescription {
  return { training: codeHash("training", trainedOn), attack: codeHash("attack", device) };
}

/** The same for certificates. */
export function certificateCodeFor(device: string, trainedOn = device): CodeDescription {
  return { training: codeHash("training", trainedOn), attack: codeHash("certificate", device) };
}

/** Whether this version measures what a cell describes, and no other. */
export function isCurrentCode({ device, trainedOn, code, certificate }: CellDescription): boolean {
  const { training, attack } = certificate ? certificateCodeFor(device, trainedOn) : codeFor(device, trainedOn);
  return code.training === training && code.attack === attack;
}
