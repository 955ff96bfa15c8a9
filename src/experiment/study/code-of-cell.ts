import { type CodeUse, codeHash } from "./code-hash.ts";
import type { CellDescription, CodeDescription } from "./run-description.ts";

type Place = Pick<CellDescription, "device" | "trainedOn"> & Partial<Pick<CellDescription, "certificate" | "quantity">>;

/** The code with which this version trains the models of a cell and measures them, each on its device. */
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

/** Whether a cell describes a measurement by this version of the code. */
export function isCurrentCode(cell: CellDescription): boolean {
  const { training, attack } = codeFor(cell);
  return cell.code.training === training && cell.code.attack === attack;
}
