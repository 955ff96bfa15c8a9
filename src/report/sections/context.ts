import type { SeriesStyle } from "../charts/series-style.ts";
import type { Theme } from "../charts/theme.ts";
import type { Section } from "../document.ts";
import type { CertifiedBound } from "../results/certified-bounds.ts";
import type { Findings } from "../results/findings.ts";
import type { AttackedRun } from "../results/measured-run.ts";
import type { ResultIndex, StudyResults } from "../results/study-results.ts";

/** The data from which all sections are made. */
export interface SectionContext {
  readonly results: StudyResults;
  readonly index: ResultIndex;
  /** Findings by dataset; datasets without attacks are missing. */
  readonly findings: ReadonlyMap<string, Findings>;
  readonly bounds: readonly CertifiedBound[];
  readonly theme: Theme;
  /** Styles for all charts, so that a model has the same colour in each. */
  readonly modelStyle: SeriesStyle;
  readonly attackStyle: SeriesStyle;
}

/** A section, or why there is none. */
export type SectionResult = Section | Omitted;

/** A section that is left out. */
export interface Omitted {
  readonly title: string;
  readonly reason: string;
}

export function isOmitted(result: SectionResult): result is Omitted {
  return "reason" in result;
}

/** Reason for runs that were measured before details were kept. */
export const NO_DETAILS = "the runs were measured by an earlier version, which did not keep what this needs";
export const NO_ATTACK = "nothing was attacked";

/** Most panels that a figure shows. */
const MOST_PANELS = 12;

/** Rows of the first panels, and a sentence that says so if panels are left out. */
export function firstPanels<T extends { readonly panel: string }>(rows: readonly T[]): { rows: T[]; note: string } {
  const panels = [...new Set(rows.map(({ panel }) => panel))];
  const shown = new Set(panels.slice(0, MOST_PANELS));
  const left = panels.length - shown.size;
  const note = left > 0 ? ` The first ${MOST_PANELS} of ${panels.length} are shown; the csv has them all.` : "";
  return { rows: rows.filter(({ panel }) => shown.has(panel)), note };
}

/** The name of a panel, with the dataset if the report has several. */
export function panelName({ index }: SectionContext, dataset: string, name: string): string {
  return index.datasets.length > 1 ? `${name} · ${dataset}` : name;
}

/** For each dataset and model, the runs of the attack strongest on it, at the budget where all are compared. */
export function strongestRuns({ index, findings }: SectionContext): AttackedRun[][] {
  return [...findings.values()].flatMap(({ dataset, budget, models, untouched, attacks }) => {
    const ofUntouched = untouched.map((model) => ({ model, attack: attacks[0]?.attack ?? index.attacks[0] }));
    return index.models.flatMap((model) => {
      const ranked = [...models, ...ofUntouched].find((each) => each.model === model);
      const runs = ranked ? index.cell(dataset, model, ranked.attack, budget) : [];
      return runs.length > 0 ? [runs] : [];
    });
  });
}

/** Describes {@link strongestRuns} in captions. */
export function strongestText({ findings }: SectionContext, budgetText: (budget: number) => string): string {
  const budgets = [...new Set([...findings.values()].map(({ budget }) => budgetText(budget)))];
  return `under the attack that is strongest against each model, with a budget of ${budgets.join(" or ")}`;
}

/** One run for each set of flips: transferred flips belong to several runs. */
export function oncePerFlips(runs: readonly AttackedRun[]): AttackedRun[] {
  return [...new Map(runs.map((run) => [run.flips?.id ?? run.id, run])).values()];
}
