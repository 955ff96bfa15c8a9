import { readFileSync } from "node:fs";
import type { Allowed } from "../../certify/certified-shares.ts";
import { check, DataError } from "../../core/errors.ts";

/** Bounds on the accuracy of a smoothed model against the strongest adversary with a budget. */
export interface CertifiedBound {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  /** Number of flips. */
  readonly budget: number;
  /** What the adversary may do to edges. */
  readonly allowed: Allowed;
  /** Lower bound: no adversary leaves less. */
  readonly certified: number;
  /** Upper bound: an attack leaves this, so the strongest adversary leaves at most as much. */
  readonly attacked: number;
}

/** Reads the output of `rgnn certify --attack … --budget … --json` for one seed or several. */
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

/** The bounds in a report of one model; none if it has no bounds. */
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
