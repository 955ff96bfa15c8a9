import type { CertifiedShare } from "../certify/certified-shares.ts";
import type { BandPoint } from "../experiment/certify/attack-band.ts";
import type { CertifyMean, CertifyReport } from "../experiment/certify/run-certify.ts";
import { formatBytes, formatCount } from "../experiment/readable-numbers.ts";
import type { Several } from "../experiment/run-several.ts";
import { left, right } from "../experiment/table-column.ts";
import { isNoisy } from "../graph/noise/noise.ts";
import { flipNoiseText } from "../graph/noise/noise-text.ts";
import { fillIn } from "./name-template.ts";
import { formatFacts, formatMean, formatTable } from "./table.ts";

/** Files that were written, if any. */
interface Written {
  readonly out: string | undefined;
  readonly votes: string | undefined;
}

/** The certificates of one model: facts, then a row for each radius. */
export function describeCertificates(report: CertifyReport, { out, votes }: Written): string {
  const { accuracy, accumulated, noise, samples, preSamples, alpha } = report;
  const facts = formatFacts({
    model: `${report.model} on ${report.dataset}, seed ${report.seed}, ${report.device}`,
    noise: `edges ${flipNoiseText(noise.edges)}; features ${flipNoiseText(noise.features)}`,
    samples: `${formatCount(samples)} after ${formatCount(preSamples)} that chose the classes; wrong with probability ${alpha} at most`,
    accuracy: `${accuracy.smoothed.toFixed(4)} smoothed, ${accuracy.clean.toFixed(4)} of the model itself (${report.numNodes} nodes); ${percent(report.abstained)} not certain`,
    accumulated: targetsOf(report)
      .map((target) => `${accumulated[target].toFixed(4)} against changes of ${target}`)
      .join("; "),
    time: `${report.seconds.toFixed(1)} s, ${report.samplesPerSecond.toFixed(0)} noisy graphs per second`,
    memory: `${formatBytes(report.residentBytes)} of the process`,
    ...(report.interrupted && { note: "interrupted: fewer samples than asked for" }),
    ...(out && { written: fillIn(out, report) }),
    ...(votes && { votes }),
  });
  const tables = targetsOf(report).map((target) =>
    radiusTable(target, report.certified[target], report.collective[target]),
  );
  return [facts, ...tables, ...(report.band ? [bandTable(report.band)] : [])].join("\n\n");
}

/** Noise on edges certifies against changes of edges, noise on features likewise. */
function targetsOf({ noise }: CertifyReport): ("edges" | "features")[] {
  return (["edges", "features"] as const).filter((target) => isNoisy(noise[target]));
}

function radiusTable(target: string, alone: readonly CertifiedShare[], atOnce: readonly CertifiedShare[]): string {
  const columns = [right(`${target} added`), right("deleted"), right("certified"), right("all at once")];
  const rows = alone.map(({ additions, deletions, share }) => {
    const same = atOnce.find((one) => one.additions === additions && one.deletions === deletions);
    return [String(additions), String(deletions), share.toFixed(4), (same?.share ?? 0).toFixed(4)];
  });
  return formatTable(columns, rows);
}

/** The strongest adversary with this many flips leaves an accuracy between the two columns. */
function bandTable(band: readonly BandPoint[]): string {
  const { allowed } = band[0]!;
  const columns = [
    right(allowed === "both" ? "flips" : `${allowed} only`),
    right("certified, at least"),
    right("attacked, at most"),
    right("added"),
    right("removed"),
  ];
  const rows = band.map(({ budget, certified, attacked, flips }) => [
    String(budget),
    certified.toFixed(4),
    attacked.toFixed(4),
    String(flips.added),
    String(flips.removed),
  ]);
  return formatTable(columns, rows);
}

/** The certificates of several seeds, a row each, and their mean. */
export function describeCertificatesOfSeeds(all: Several<CertifyReport, CertifyMean>, { out, votes }: Written): string {
  const { runs, mean, standardError, interrupted } = all;
  const { model, dataset, noise, samples, preSamples } = runs[0];
  const columns = [left("seed"), right("clean"), right("smoothed"), right("not certain")];
  const targets = targetsOf(runs[0]);
  const rows = runs.map(({ seed, accuracy, abstained, accumulated }) => [
    String(seed),
    accuracy.clean.toFixed(4),
    accuracy.smoothed.toFixed(4),
    percent(abstained),
    ...targets.map((target) => accumulated[target].toFixed(4)),
  ]);
  const means = [
    "mean",
    formatMean(mean.accuracy.clean, standardError.accuracy.clean),
    formatMean(mean.accuracy.smoothed, standardError.accuracy.smoothed),
    percent(mean.abstained),
    ...targets.map((target) => formatMean(mean.accumulated[target], standardError.accumulated[target])),
  ];
  return [
    `${model} on ${dataset}, noise on edges ${flipNoiseText(noise.edges)}, on features ${flipNoiseText(noise.features)}, ${formatCount(samples)} samples after ${formatCount(preSamples)}; mean ± standard error over the seeds`,
    formatTable([...columns, ...targets.map((target) => right(`accumulated, ${target}`))], [...rows, means]),
    ...(interrupted ? ["Interrupted: fewer samples than asked for."] : []),
    ...(out ? [`written  ${runs.map((report) => fillIn(out, report)).join(", ")}`] : []),
    ...(votes ? [`votes  ${votes}`] : []),
  ].join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
