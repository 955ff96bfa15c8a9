import { check } from "../core/errors.ts";
import { formatCount } from "../experiment/readable-numbers.ts";
import { distinct } from "./charts/distinct.ts";
import { seriesStyle } from "./charts/series-style.ts";
import { lightTheme } from "./charts/theme.ts";
import type { ReportDocument, Section } from "./document.ts";
import type { CertifiedBound } from "./results/certified-bounds.ts";
import { findingsOn } from "./results/findings.ts";
import { ResultIndex, type StudyResults } from "./results/study-results.ts";
import { accuracySection } from "./sections/accuracy.ts";
import { certificatesSection } from "./sections/certificates.ts";
import { certifiedRunsSection } from "./sections/certified-runs.ts";
import { isOmitted, type Omitted, type SectionContext } from "./sections/context.ts";
import { costSection } from "./sections/cost.ts";
import { epochsSection } from "./sections/epochs.ts";
import { flipsSection } from "./sections/flips.ts";
import { groupsSection } from "./sections/groups.ts";
import { marginsSection } from "./sections/margins.ts";
import { otherQuantitiesSection } from "./sections/other-quantities.ts";
import { type Provenance, settingsSection } from "./sections/settings.ts";
import { singleNodesSection } from "./sections/single-nodes.ts";
import { structureSection } from "./sections/structure.ts";
import { worstCaseSection } from "./sections/worst-case.ts";
import { keyFigures, summarise } from "./summary.ts";
import { counted, listed } from "./words.ts";

/** Options of a report, and where it comes from. */
export interface ReportOptions extends Provenance {
  /** Default: names the study. */
  readonly title?: string;
  /** Bounds from certificates, if there are any. */
  readonly bounds?: readonly CertifiedBound[];
  /** Ids of the sections to show; all by default. */
  readonly sections?: readonly string[];
}

/** Builds the report of a study from its results. */
export function buildReport(results: StudyResults, options: ReportOptions): ReportDocument {
  const index = new ResultIndex(results.runs);
  const found = index.datasets.map((dataset) => findingsOn(index, dataset)).filter((each) => each !== null);
  const context: SectionContext = {
    results,
    index,
    findings: new Map(found.map((each) => [each.dataset, each])),
    bounds: options.bounds ?? [],
    theme: lightTheme,
    modelStyle: seriesStyle(index.models, lightTheme),
    attackStyle: seriesStyle(index.attacks, lightTheme, index.models.length),
  };
  const made = [
    worstCaseSection(context),
    accuracySection(context),
    marginsSection(context),
    groupsSection(context),
    singleNodesSection(context),
    flipsSection(context),
    structureSection(context),
    certificatesSection(context),
    certifiedRunsSection(context),
    otherQuantitiesSection(context),
    epochsSection(context),
    costSection(context),
    settingsSection(context, options),
  ].filter((each) => each !== null);
  const sections = chosenSections(
    made.filter((each): each is Section => !isOmitted(each)),
    options.sections,
  );
  return {
    title: options.title ?? (results.study === null ? "Robustness report" : `Robustness report: ${results.study}`),
    subtitle: subtitleOf(index),
    notices: noticesOf(results),
    keyFigures: keyFigures(context),
    summary: summarise(context),
    sections: options.sections ? sections : withOmitted(sections, made.filter(isOmitted)),
    colophon: `Made by rgnn ${options.version} on ${options.date.toISOString().slice(0, 10)} with: ${options.command}`,
  };
}

function chosenSections(sections: readonly Section[], wanted: readonly string[] | undefined): readonly Section[] {
  const ids = sections.map(({ id }) => id);
  for (const id of wanted ?? [])
    check(ids.includes(id), () => `report: unknown section "${id}"; of this study there are ${ids.join(", ")}`);
  return sections.filter(({ id }) => wanted?.includes(id) ?? true);
}

function subtitleOf({ datasets, models, runs, seeds }: ResultIndex): string {
  const attacks = distinct(runs.flatMap(({ attack }) => attack ?? []));
  const attacked = attacks.length > 0 ? `under ${listed(attacks)}` : "on the clean graph";
  return `${listed(models)} ${attacked} on ${listed(datasets)}; ${counted(seeds.length, "seed")}`;
}

function noticesOf({ missing, outdated, superseded, runs }: StudyResults): string[] {
  const { waiting, failed } = missing;
  const total = runs.length + waiting + failed.length;
  const open = [
    ...(waiting > 0 ? [`${formatCount(waiting)} ${waiting === 1 ? "is" : "are"} still to be measured`] : []),
    ...(failed.length > 0
      ? [`${formatCount(failed.length)} failed, the first with: ${failed[0].error} (${failed[0].run})`]
      : []),
  ];
  return [
    ...(open.length > 0
      ? [
          `This report is partial: ${formatCount(runs.length)} of ${formatCount(total)} runs are done; ${open.join("; ")}.`,
        ]
      : []),
    ...(outdated > 0
      ? [`${counted(outdated, "result")} of earlier versions of the code are left out: newer ones replace them.`]
      : []),
    ...(superseded > 0
      ? [
          `${counted(superseded, "result")} are left out because newer results of the same experiments replace them: the study or a graph has changed since, or another part of the study goes from budget to budget.`,
        ]
      : []),
  ];
}

/** Appends a section that lists the omitted sections and why they are omitted. */
function withOmitted(sections: readonly Section[], omitted: readonly Omitted[]): Section[] {
  if (omitted.length === 0) return [...sections];
  const left = omitted.map(({ title, reason }) => ({ kind: "text" as const, text: `${title}: ${reason}.` }));
  return [...sections, { id: "left-out", title: "What is left out", blocks: left }];
}
