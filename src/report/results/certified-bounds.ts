import { readFileSync } from "node:fs";
import type { Allowed } from "../../certify/certified-shares.ts";
import { check, DataError } from "../../core/errors.ts";

/** Between which bounds the accuracy of a smoothed model lies against the strongest adversary with a budget. */
export interface CertifiedBound {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  /** In flips. */
  readonly budget: number;
  /** What the adversary may do to edges. */
  readonly allowed: Allowed;
  /** No adversary leaves less. */
  readonly certified: number;
  /** An attack leaves this: the strongest adversary leaves no more. */
  readonly attacked: number;
}

/** Reads what `rgnn certify --attack … --budget … --json` printed, of one seed or of several. */
export function readCertifiedBounds(file: string): CertifiedBound[] {
  const bounds = reportsIn(file).flatMap(boundsOf);
  const way = "make it with rgnn certify --attack prbcd --budget 1,2,4 --json";
  check(bounds.length > 0, () => `${file}: has no bounds of certificates; ${way}`, DataError);
  return bounds;
}

function reportsIn(file: string): readonly unknown[] {
  try {
    const json: unknown = JSON.parse(readFileSync(file, "utf8"));
    const { runs } = (json ?? {}) as { runs?: unknown };
    return Array.isArray(runs) ? runs : [json];
  } catch (error) {
    throw new DataError(`${file}: cannot be read as JSON (${(error as Error).message})`);
  }
}

/** The bounds of one model; none in anything else. */
function boundsOf(report: unknown): CertifiedBound[] {
  const { dataset, model, seed, band } = (report ?? {}) as Partial<CertifiedBound> & { band?: unknown };
  if (typeof dataset !== "string" || typeof model !== "string" || typeof seed !== "number" || !Array.isArray(band))
    return [];
  return band.flatMap((point: Partial<CertifiedBound> | null): CertifiedBound[] => {
    const { budget, allowed, certified, attacked } = point ?? {};
    if (budget === undefined || allowed === undefined || certified === undefined || attacked === undefined) return [];
    return [{ dataset, model, seed, budget, allowed, certified, attacked }];
  });
}
