// A thread that makes one report.
import { parentPort } from "node:worker_threads";
import { packageVersion } from "../../experiment/runner/run-facts.ts";
import { openRunStore } from "../../experiment/store/open-run-store.ts";
import { buildReport } from "../../report/build-report.ts";
import { REPORT_FORMATS } from "../../report/report-formats.ts";
import { chooseStudy, readResults } from "../../report/results/read-study.ts";
import { answerCalls } from "../threads/answer-calls.ts";

answerCalls(parentPort!, (_, [place, study]) => pageOf(place as string, study as string | undefined));

async function pageOf(place: string, study: string | undefined): Promise<string> {
  const store = await openRunStore(place);
  try {
    const results = await readResults(store, await chooseStudy(store, study));
    const command = `rgnn report ${JSON.stringify(results.study)} --store ${results.store}`;
    const report = buildReport(results, { command, version: packageVersion(), date: new Date(), bounds: [] });
    const [page] = (await REPORT_FORMATS["html"](report, "report")).values();
    return page;
  } finally {
    await store.close();
  }
}
