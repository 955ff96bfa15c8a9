import { codeHash } from "./code-hash.ts";
import type { CellDescription, CodeDescription } from "./run-description.ts";

type Place = Pick<CellDescription, "device" | "trainedOn" | "certificate">;

/** The code of this version that attacks or certifies on a device, with models that learned there or on another one. */
export function codeFor({ device, trainedOn = device, certificate }: Place): CodeDescription {
  return {
    training: codeHash("training", trainedOn),
    attack: codeHash(certificate ? "certificate" : "attack", device),
  };
}

/** Whether this version measures what a cell describes, and no other. */
export function isCurrentCode(cell: CellDescription): boolean {
  const { training, attack } = codeFor(cell);
  return cell.code.training === training && cell.code.attack === attack;
}
