import { Command } from "commander";
import { packageVersion } from "../experiment/runner/run-facts.ts";
import { openFilledStore } from "../experiment/store/open-run-store.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { buildReport } from "../report/build-report.ts";
import { readCertifiedBounds } from "../report/results/certified-bounds.ts";
import { chooseStudy, readResults } from "../report/results/read-study.ts";
import { checkReportFile, writeReport } from "../report/write-report.ts";
import { given } from "./options.ts";
import { DEFAULT_STORE } from "./store-place.ts";

interface ReportFlags {
  readonly store: string;
  readonly out: string;
  readonly certificates?: string;
  readonly sections?: readonly string[];
  readonly json?: boolean;
}

/** `rgnn report` */
export function reportCommand(): Command {
  return new Command("report")
    .description("Make a report of a study: one page with a summary in words, tables and figures")
    .argument("[study]", "name of the study; may be left out where the store has one only")
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .option(
      "--out <file>",
      "report.html, report.md or report.tex; the last two have their figures in a folder beside",
      "report.html",
    )
    .option(
      "--certificates <file>",
      "what rgnn certify --attack ... --budget ... --json printed: bounds on the accuracy of smoothed models",
    )
    .option("--sections <ids>", "only these, such as worst-case,accuracy,settings", (text) => text.split(","))
    .option("--json", "print one JSON object instead of a line")
    .addHelpText("after", "\nExample:\n  rgnn report quick-transfer --out report.html")
    .action(run);
}

async function run(study: string | undefined, flags: ReportFlags): Promise<void> {
  const { store: place, out, certificates, sections, json } = flags;
  checkReportFile(out);
  const bounds = certificates === undefined ? [] : readCertifiedBounds(certificates);
  const store = await openFilledStore(place);
  try {
    await checkWritable(out);
    const results = await readResults(store, await chooseStudy(store, study));
    const command = [
      "rgnn report",
      ...(study === undefined ? [] : [JSON.stringify(study)]),
      "--store",
      results.store,
      "--out",
      out,
      ...(sections ? ["--sections", sections.join()] : []),
    ].join(" ");
    const options = { command, version: packageVersion(), date: new Date(), bounds, ...given({ sections }) };
    const report = buildReport(results, options);
    const files = await writeReport(report, out);
    for (const notice of report.notices) console.error(`rgnn: ${notice}`);
    if (json) console.log(JSON.stringify({ study: results.study, runs: results.runs.length, files }));
    else console.log(`report  ${files[0]}`);
  } finally {
    await store.close();
  }
}
