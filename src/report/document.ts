import type { Column } from "../experiment/table-column.ts";
import type { Chart } from "./charts/chart.ts";

/** The content of a report, before it becomes HTML, Markdown or LaTeX. All texts are plain, without markup. */
export interface ReportDocument {
  readonly title: string;
  /** Below the title: what was measured. */
  readonly subtitle: string;
  /** Warnings if runs are missing or were left out. */
  readonly notices: readonly string[];
  readonly keyFigures: readonly KeyFigure[];
  /** The findings, a sentence or two each. */
  readonly summary: readonly string[];
  readonly sections: readonly Section[];
  /** How the report was made: version, date, command. */
  readonly colophon: string;
}

/** A main result, shown at the top. */
export interface KeyFigure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/** A part of a report under a heading. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = TextBlock | TableBlock | FigureBlock;

/** A paragraph. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
}

/** A table under its caption. */
export interface TableBlock {
  readonly kind: "table";
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
}

/** A chart with its caption, and an alternative text for readers who cannot see it. */
export interface FigureBlock {
  readonly kind: "figure";
  readonly id: string;
  readonly caption: string;
  readonly alternative: string;
  readonly chart: Chart;
}

export function text(content: string): TextBlock {
  return { kind: "text", text: content };
}
