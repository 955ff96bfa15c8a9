import type { Column } from "../experiment/table-column.ts";
import type { Chart } from "./charts/chart.ts";

/** A report as it is before it becomes a page, a Markdown file or a LaTeX document. All texts are plain: none is markup. */
export interface ReportDocument {
  readonly title: string;
  /** Below the title: what was measured. */
  readonly subtitle: string;
  /** Set where runs are missing or were left out. */
  readonly notices: readonly string[];
  readonly keyFigures: readonly KeyFigure[];
  /** What the numbers say, a sentence or two each. */
  readonly summary: readonly string[];
  readonly sections: readonly Section[];
  /** Where the report comes from: version, date. */
  readonly colophon: string;
}

/** A number to remember. */
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

/** A chart with its caption and with the words for whoever does not see it. */
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
