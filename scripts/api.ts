// Writes docs/api/: the public interface of every entry point, which a test compares with the sources.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiReports, REPORTS } from "./api/report.ts";

const folder = join(import.meta.dirname, "..", REPORTS);
const reports = apiReports();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!reports.has(file)) rmSync(join(folder, file));
for (const [file, text] of reports) writeFileSync(join(folder, file), text);
