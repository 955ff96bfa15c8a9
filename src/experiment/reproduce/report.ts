import type { Curves } from "../curves-chart.ts";
import type { Column } from "../table-column.ts";
import type { RunOptions } from "./run-measurements.ts";
import type { ResultStore } from "./store.ts";

/** A table or a figure of the paper that can be measured again. */
export interface Reproduction {
  readonly title: string;
  /** Those it covers; none if it needs no data. */
  readonly datasets: readonly string[];
  /** Seeds that it is measured with unless told otherwise. */
  readonly seeds: readonly number[];
  /** True if it takes one seed only. */
  readonly oneSeed?: boolean;
  /** True if what was measured is kept in the store, so that a run that was stopped goes on. */
  readonly stores: boolean;
  run(choice: Choice, store: ResultStore, options: RunOptions): Promise<Report>;
}

/** Seeds of the published experiments. */
export const PUBLISHED_SEEDS: readonly number[] = [0, 1, 5];

export interface Choice {
  readonly datasets: readonly string[];
  readonly seeds: readonly number[];
}

/** What was measured: as values, as the cells of a table, and as curves where it is a figure. */
export interface Report {
  readonly rows: readonly object[];
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
  /** What the numbers are, in sentences. */
  readonly note: string;
  readonly curves?: Curves;
}

/** A report as Markdown, with the command that made it and, where there is one, its drawing. */
export function reportMarkdown(title: string, command: string, report: Report, drawing: string | null): string {
  const line = (values: readonly string[]) => `| ${values.join(" | ")} |`;
  const rule = report.columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  return `# ${title}

Made by \`${command}\`. ${report.note}
${drawing ? `\n![${title}](${drawing})\n` : ""}
${[line(report.columns.map(({ title }) => title)), line(rule), ...report.cells.map(line)].join("\n")}
`;
}
