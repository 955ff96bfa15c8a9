import { basename, dirname, extname, join } from "node:path";
import { lookup } from "../core/errors.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import type { ReportDocument } from "./document.ts";
import { REPORT_FORMATS } from "./report-formats.ts";

/** Throws unless the ending of the file is a format of reports. */
export function checkReportFile(file: string): void {
  lookup(REPORT_FORMATS, extname(file).slice(1), "form of reports");
}

/**
 * Writes a report and the files that belong to it. Returns the paths, the report itself first. The report is written
 * last, so that its figures exist when it appears.
 */
export async function writeReport(report: ReportDocument, file: string): Promise<string[]> {
  checkReportFile(file);
  const ending = extname(file);
  const made = await REPORT_FORMATS[ending.slice(1)](report, basename(file, ending));
  const files = [...made].map(([name, content]) => [join(dirname(file), name), content] as const);
  for (const [path, content] of files.toReversed()) await writeAtomically(path, content);
  return files.map(([path]) => path);
}
