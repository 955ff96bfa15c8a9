import type { ReportDocument } from "./document.ts";
import { reportPage } from "./html/page.ts";
import { reportLatex } from "./latex/latex.ts";
import { reportMarkdown } from "./markdown/markdown.ts";
import { chartRenderer } from "./render-chart.ts";

/** Files of a report by name: the report itself first, then the files that it refers to. */
export type ReportFiles = ReadonlyMap<string, string>;

/** Makes the files of a report; `name` is the file name without its ending. */
type Format = (report: ReportDocument, name: string) => Promise<ReportFiles>;

/** Formats of reports, by the ending of the file. */
export const REPORT_FORMATS: Readonly<Record<string, Format>> = {
  html: async (report, name) => new Map([[`${name}.html`, await reportPage(report, await chartRenderer())]]),
  md: async (report, name) => reportMarkdown(report, name, await chartRenderer()),
  tex: async (report, name) => reportLatex(report, name, await chartRenderer()),
};
