import { basename, dirname, extname, join } from "node:path";
import { lookup } from "../core/errors.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import type { ReportDocument } from "./document.ts";
import { REPORT_FORMATS } from "./report-formats.ts";

/** Throws unless a report can be written in the form that the ending of the file names. */
export function checkReportFile(file: string): void {
  lookup(REPORT_FORMATS, extname(file).slice(1), "form of reports");
}

/** Writes a report and what belongs to it; returns the files, the report itself first. It is written last: who sees it finds its figures. */
export async function writeReport(report: ReportDocument, file: string): Promise<string[]> {
  checkReportFile(file);
  const ending = extname(file);
  const made = await REPORT_FORMATS[ending.slice(1)](report, basename(file, ending));
  const files = [...made].map(([name, content]) => [join(dirname(file), name), content] as const);
  for (const [path, content] of files.toReversed()) await writeAtomically(path, content);
  return files.map(([path]) => path);
}
