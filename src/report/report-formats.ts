import type { ReportDocument } from "./document.ts";
import { reportPage } from "./html/page.ts";
import { reportLatex } from "./latex/latex.ts";
import { reportMarkdown } from "./markdown/markdown.ts";
import { chartRenderer } from "./render-chart.ts";

/** Files of a report by their names, the report itself first; the others are what it refers to. */
export type ReportFiles = ReadonlyMap<string, string>;

/** Makes the files of a report that is called `name`, its ending left out. */
type Format = (report: ReportDocument, name: string) => Promise<ReportFiles>;

/** Forms that a report can have, by the ending of a file. */
export const REPORT_FORMATS: Readonly<Record<string, Format>> = {
  html: async (report, name) => new Map([[`${name}.html`, await reportPage(report, await chartRenderer())]]),
  md: async (report, name) => reportMarkdown(report, name, await chartRenderer()),
  tex: async (report, name) => reportLatex(report, name, await chartRenderer()),
};
