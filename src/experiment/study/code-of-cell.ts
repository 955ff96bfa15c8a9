import { type CodeUse, codeHash } from "./code-hash.ts";
import type { CellDescription, CodeDescription } from "./run-description.ts";

type Place = Pick<CellDescription, "device" | "trainedOn"> & Partial<Pick<CellDescription, "certificate" | "quantity">>;

/** The code of this version that measures on a device, with models that learned there or on another one. */
export function codeFor(place: Place): CodeDescription {
  const { device, trainedOn = device } = place;
  return {
    training: codeHash("training", trainedOn),
    attack: codeHash(useOf(place), device),
  };
}

function useOf({ certificate, quantity }: Place): CodeUse {
  if (certificate) return "certificate";
  return quantity === "validation-accuracy" ? "validation" : "attack";
}

/** Whether this version measures what a cell describes, and no other. */
export function isCurrentCode(cell: CellDescription): boolean {
  const { training, attack } = codeFor(cell);
  return cell.code.training === training && cell.code.attack === attack;
}
