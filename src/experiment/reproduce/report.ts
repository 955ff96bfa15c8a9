import type { Curves } from "../curves-chart.ts";
import type { Column } from "../table-column.ts";
import type { Experiment } from "./experiment.ts";
import type { Results } from "./results.ts";

/** A table or a figure of the paper that can be measured again. */
export interface Reproduction {
  readonly title: string;
  /** Datasets it covers; none if it needs no data. */
  readonly datasets: readonly string[];
  /** Seeds that it is measured with unless told otherwise. */
  readonly seeds: readonly number[];
  /** True if it takes one seed only. */
  readonly oneSeed?: boolean;
  /** What a run can be limited to besides datasets and seeds, if it can. */
  readonly parts?: Parts;
  /** What is measured with each seed; none if the report needs no measurements. */
  experiments(choice: Choice): readonly Experiment[];
  /** Makes the report from the measurements that exist. */
  report(choice: Choice, results: Results): Report | Promise<Report>;
}

/** Seeds of the published experiments. */
export const PUBLISHED_SEEDS: readonly number[] = [0, 1, 5];

/** The models, attacks and budgets that something covers. */
export interface Parts {
  readonly models: readonly string[];
  readonly attacks: readonly string[];
  readonly epsilons: readonly number[];
}

export interface Choice {
  readonly datasets: readonly string[];
  readonly seeds: readonly number[];
  /** Default: all. */
  readonly parts?: Parts;
}

/** Rows of text under the titles of their columns. */
export interface ReportTable {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
}

/** A further table of a report. */
export interface ReportSection extends ReportTable {
  readonly title: string;
  readonly note: string;
}

/** What was measured: as values, as the cells of a table, and as curves where it is a figure. */
export interface Report extends ReportTable {
  readonly rows: readonly object[];
  /** Says what the numbers are, in sentences. */
  readonly note: string;
  /** Conclusions from the numbers, a sentence each. */
  readonly verdicts?: readonly string[];
  readonly sections?: readonly ReportSection[];
  readonly curves?: Curves;
}

/** Where a report comes from. */
export interface Source {
  /** The command that made it. */
  readonly command: string;
  /** Which code measured it, in a sentence; null if nothing was measured. */
  readonly code: string | null;
  /** The file with its drawing; null if there is none. */
  readonly drawing: string | null;
}

/** A report as Markdown, with where it comes from. */
export function reportMarkdown(title: string, report: Report, { command, code, drawing }: Source): string {
  const { note, verdicts = [], sections = [] } = report;
  const paragraphs = [
    `# ${title}`,
    `Made by \`${command}\`. ${note}`,
    ...(code !== null ? [code] : []),
    ...(verdicts.length > 0 ? [verdicts.map((verdict) => `- ${verdict}`).join("\n")] : []),
    ...(drawing ? [`![${title}](${drawing})`] : []),
    ...mainTable(report).map(tableMarkdown),
    ...sections.flatMap((section) => [`## ${section.title}`, section.note, tableMarkdown(section)]),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

/** The main table of a report; left out if it is empty and there are sections. */
export function mainTable(report: Report): readonly ReportTable[] {
  return report.cells.length > 0 || !report.sections?.length ? [report] : [];
}

function tableMarkdown({ columns, cells }: ReportTable): string {
  const line = (values: readonly string[]) => `| ${values.join(" | ")} |`;
  const rule = columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  return [line(columns.map(({ title }) => title)), line(rule), ...cells.map(line)].join("\n");
}
