import { mainTable, type Report } from "../experiment/reproduce/report.ts";
import { formatTable } from "./table.ts";

/** All tables and verdicts of a report, for a terminal. */
export function reportText(report: Report): string {
  const { verdicts = [], sections = [] } = report;
  const tables = mainTable(report).map(({ columns, cells }) => formatTable(columns, cells));
  const more = sections.map(({ title, columns, cells }) => `${title}\n\n${formatTable(columns, cells)}`);
  return [...tables, ...more, ...(verdicts.length > 0 ? [verdicts.join("\n")] : [])].join("\n\n");
}
