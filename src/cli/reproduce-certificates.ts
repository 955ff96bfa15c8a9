import { join } from "node:path";
import { check } from "../core/errors.ts";
import { groups, SAMPLES } from "../experiment/certificates/cells.ts";
import { certificateReport, DATASETS, TITLE } from "../experiment/certificates/certificates.ts";
import { countVotes, readCells } from "../experiment/certificates/measure.ts";
import { PUBLISHED_SEEDS, reportMarkdown } from "../experiment/reproduce/report.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { chosenNames } from "./chosen-names.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { given } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { reportText } from "./report-text.ts";
import type { ReproduceFlags } from "./reproduce.ts";
import { artefactsBeside } from "./store-place.ts";

const NAME = "certificates";

/** The only table that is not a study: its models vote together, and votes are stored instead of runs. */
export const CERTIFICATES = { [NAME]: { title: TITLE } };

/** The flags that it uses; with `--stored` nothing is measured, so that a device has no use. */
export function certificateFlags({ stored }: ReproduceFlags): string[] {
  const where = ["device", "threads", "dataDir"];
  return ["datasets", "seeds", "store", "artefacts", "stored", "out", "json", ...where].filter(
    (flag) => !stored || flag !== "device",
  );
}

/** `rgnn reproduce certificates` */
export async function reproduceCertificates(flags: ReproduceFlags): Promise<void> {
  const { seeds = PUBLISHED_SEEDS, store, artefacts = artefactsBeside(store), stored, out, json } = flags;
  const { device, threads, dataDir } = flags;
  const plan = {
    datasets: chosenNames(NAME, "dataset", DATASETS, flags.datasets?.split(",")),
    seeds,
    folder: join(artefacts, NAME),
    samples: SAMPLES.bounding,
    groups,
    where: given({ device, threads, dataDir }),
  };
  if (out) await checkWritable(out);
  const bar = new ProgressBar();
  const tell = (line: string) => {
    bar.finish();
    console.error(line);
  };
  const interrupted = await interruptible(async (signal) => {
    if (!stored) await countVotes(plan, { progress: bar, signal, tell, goOn: (done, total) => bar.goOn(done, total) });
    return signal.aborted;
  }).finally(() => bar.finish());
  const report = certificateReport(await readCells(plan));
  check(
    report.rows.length > 0,
    () => `${plan.folder}: holds no votes for these seeds; leave out --stored to count them`,
  );
  const command = `rgnn reproduce ${NAME}`;
  if (out && !interrupted)
    await writeAtomically(out, reportMarkdown(TITLE, report, { command, code: null, drawing: null }));
  if (json) console.log(JSON.stringify({ name: NAME, seeds, rows: report.rows, ...(interrupted && { interrupted }) }));
  else console.log(reportText(report));
  endIfInterrupted(interrupted);
}
