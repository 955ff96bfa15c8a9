import { moduleBeside } from "../threads/module-beside.ts";
import { ThreadCalls } from "../threads/thread-calls.ts";

/** The report of a study as a page, made in a thread of its own: drawing takes seconds and would block the server. */
export async function makeReport(place: string, study: string | undefined): Promise<string> {
  const thread = new ThreadCalls(moduleBeside(import.meta.url, "report-thread"), null);
  try {
    return (await thread.call("report", [place, study])) as string;
  } finally {
    await thread.close();
  }
}
