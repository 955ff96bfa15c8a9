import { check } from "../core/errors.ts";
import type { Shares } from "./splits.ts";

/** What `--split` asks for. */
export type SplitChoice =
  | { readonly kind: "per-class"; readonly count: number }
  | { readonly kind: "shares"; readonly shares: Shares }
  | { readonly kind: "public" }
  | { readonly kind: "file"; readonly path: string };

/** The forms that `--split` accepts, for help texts and errors. */
export const SPLIT_FORMS = "per-class:20, shares:10,10,80, public, or a .json or .npz file";

/** Reads the text of `--split`. */
export function parseSplitChoice(text: string): SplitChoice {
  if (text === "public") return { kind: "public" };
  if (text.startsWith("per-class")) return { kind: "per-class", count: perClassCount(text) };
  if (text.startsWith("shares")) return { kind: "shares", shares: sharesOf(text) };
  check(/\.(json|npz)$/.test(text), () => `unknown split "${text}"; it can be ${SPLIT_FORMS}`);
  return { kind: "file", path: text };
}

function perClassCount(text: string): number {
  const digits = /^per-class:(\d{1,9})$/.exec(text)?.[1];
  check(digits !== undefined && Number(digits) > 0, () => `split must look like per-class:20, got "${text}"`);
  return Number(digits);
}

function sharesOf(text: string): Shares {
  const parts = text.replace(/^shares:/, "").split(",");
  const numbers = parts.map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  const total = numbers.reduce((sum, share) => sum + share, 0);
  const valid = text.startsWith("shares:") && numbers.length === 3 && Math.abs(total - 100) < 1e-6;
  check(valid, () => `split must be three percentages that add up to 100, such as shares:10,10,80, got "${text}"`);
  return { train: numbers[0], val: numbers[1], test: numbers[2] };
}
