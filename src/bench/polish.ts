import type { EdgeChanges } from "../backend/backend.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { gcnDefaults } from "../nn/models/gcn.ts";
import { type CeilingSampler, sampleCpu } from "./ceiling-sampler.ts";
import { type Ceilings, highest, typical } from "./ceilings.ts";
import { arxivCase, casesOf, coraCase, type EpochCase, pubmedCase } from "./epoch-case.ts";
import { floorSeconds } from "./need-counter.ts";
import { overRounds, type RoundOptions, timeRounds } from "./rounds.ts";
import { CHANGE_KINDS, firstChanges, randomChanges } from "./trial-changes.ts";
import { type TrialNeeds, trialNeeds } from "./trial-needs.ts";
import { TrialStandings } from "./trial-standings.ts";

interface TrialCase {
  readonly epochCase: EpochCase;
  /** Changes tried in one step of a round: by patching the rows that they reach, and by whole passes. */
  readonly trials: number;
  readonly passes: number;
}

/** GCNs with one hidden layer of 64. */
const CASES: readonly TrialCase[] = [
  { epochCase: coraCase, trials: 2000, passes: 20 },
  { epochCase: pubmedCase, trials: 2000, passes: 4 },
  { epochCase: { ...arxivCase, config: gcnDefaults }, trials: 100, passes: 1 },
];

/** Changes of each kind whose result is compared with that of a whole pass. */
const CHECKED = 8;
const ROUNDS: RoundOptions = { warmUpMs: 500, atLeast: 7, enoughMs: 3000 };

/** Changes tried per second with one number of threads, in the median round. */
export interface TrialResult {
  readonly shape: string;
  readonly what: string;
  readonly threads: number;
  /** Trials that compute only the rows that a change reaches. */
  readonly patchedPerSecond: number;
  /** Trials by forward passes, which reuse the product of features and weights. */
  readonly wholePerSecond: number;
  /** patchedPerSecond / wholePerSecond. */
  readonly gain: number;
  readonly rowsPerTrial: number;
  readonly bytesPerTrial: number;
  readonly flopsPerTrial: number;
  /** Least seconds of a patched trial, by the median ceilings. */
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  /** The same ratio for the shortest round and the highest ceilings. */
  readonly bestRatio: number;
  /** Shows that the results are right. */
  readonly check: string;
}

export interface TrialReport {
  /** For each shape and number of threads, the median of the ceilings measured in its rounds. */
  readonly ceilings: readonly Ceilings[];
  readonly trials: readonly TrialResult[];
}

/** Times trials of edge changes as polish makes them, alternating between one thread and `threads`. */
export async function benchPolish(
  threads: number,
  shape: string | undefined,
  progress: Progress,
): Promise<TrialReport> {
  const cases = casesOf(CASES, shape);
  const counts = threads === 1 ? [1] : [1, threads];
  const samplers = await Promise.all(counts.map(sampleCpu));
  const reports: TrialReport[] = [];
  for (const [i, trialCase] of cases.entries()) {
    const note = (what: string) => progress.update(i, cases.length, `${trialCase.epochCase.name}: ${what}`);
    reports.push(await benchCase(trialCase, counts, samplers, note));
  }
  await Promise.all(samplers.map((sampler) => sampler.close()));
  return { ceilings: reports.flatMap(({ ceilings }) => ceilings), trials: reports.flatMap(({ trials }) => trials) };
}

async function benchCase(
  { epochCase, trials, passes }: TrialCase,
  counts: readonly number[],
  samplers: readonly CeilingSampler[],
  note: (what: string) => void,
): Promise<TrialReport> {
  const graph = epochCase.graph();
  note("training");
  const standings: TrialStandings[] = [];
  for (const threads of counts) standings.push(await TrialStandings.open(epochCase, graph, threads));
  const timed: TimedTrials[] = [];
  for (const kind of CHANGE_KINDS) {
    note(kind.name);
    const changes = randomChanges(graph, kind, trials, new Rng(3));
    for (const standing of standings) await standing.check(firstChanges(changes, CHECKED));
    const needs = trialNeeds({ adjacency: graph.adjacency, layers: standings[0].layers }, changes);
    const name = { shape: epochCase.name, what: kind.name };
    for (const times of await timeTrials(standings, samplers, changes, passes))
      timed.push({ ...name, needs, ...times });
  }
  await Promise.all(standings.map((standing) => standing.close()));
  const samplesWith = (count: number) => timed.flatMap(({ threads, samples }) => (threads === count ? samples : []));
  return { ceilings: counts.map((count) => typical(samplesWith(count))), trials: timed.map(describe) };
}

/** Seconds of one change. */
interface TrialTimes {
  readonly threads: number;
  readonly patched: { readonly median: number; readonly best: number };
  readonly whole: number;
  readonly samples: readonly Ceilings[];
}

/** Times patched trials of all changes and whole passes for the first few, per number of threads, with ceilings. */
async function timeTrials(
  standings: readonly TrialStandings[],
  samplers: readonly CeilingSampler[],
  changes: EdgeChanges,
  passes: number,
): Promise<TrialTimes[]> {
  const few = firstChanges(changes, passes);
  const samples = samplers.map((): Ceilings[] => []);
  const steps: Record<string, () => Promise<void>> = {};
  for (const [t, { patched, whole }] of standings.entries()) {
    steps[`patched ${t}`] = async () => void (await patched.gains(changes));
    steps[`whole ${t}`] = async () => void (await whole.gains(few));
    steps[`ceilings ${t}`] = async () => void samples[t].push(samplers[t].sample());
  }
  const rounds = await timeRounds(steps, ROUNDS);
  const perChange = 1000 * (changes.offsets.length - 1);
  return standings.map(({ threads }, t) => ({
    threads,
    patched: {
      median: overRounds(rounds, (round) => round[`patched ${t}`]) / perChange,
      best: Math.min(...rounds.map((round) => round[`patched ${t}`])) / perChange,
    },
    whole: overRounds(rounds, (round) => round[`whole ${t}`]) / (1000 * passes),
    samples: samples[t],
  }));
}

interface TimedTrials extends TrialTimes {
  readonly shape: string;
  readonly what: string;
  readonly needs: TrialNeeds;
}

function describe({ shape, what, needs, threads, patched, whole, samples }: TimedTrials): TrialResult {
  const floor = floorSeconds(needs.needs, typical(samples));
  return {
    shape,
    what,
    threads,
    patchedPerSecond: 1 / patched.median,
    wholePerSecond: 1 / whole,
    gain: whole / patched.median,
    rowsPerTrial: needs.rows,
    bytesPerTrial: needs.bytes,
    flopsPerTrial: needs.flops,
    floor,
    ratio: floor / patched.median,
    bestRatio: floorSeconds(needs.needs, highest(samples)) / patched.best,
    check: `${CHECKED} as by whole passes`,
  };
}
