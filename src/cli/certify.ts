import { Command } from "commander";
import { globalAttacks } from "../attack/global-attacks.ts";
import { check } from "../core/errors.ts";
import { certificateRows } from "../experiment/certify/certificate-rows.ts";
import {
  type CertifyChoice,
  type CertifyRun,
  checkSmoothing,
  runCertify,
  type SmoothingChoice,
  summariseCertificates,
} from "../experiment/certify/run-certify.ts";
import type { Session } from "../experiment/session.ts";
import { nameModel } from "../experiment/trained-model.ts";
import { checkCertificatesFile, writeCertificates } from "../files/certificates-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { type FlipNoise, noNoise } from "../graph/noise/noise.ts";
import { describeCertificates, describeCertificatesOfSeeds } from "./certify-text.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import { checkTemplate, fillIn } from "./name-template.ts";
import { nodeList } from "./node-list.ts";
import { flipNoise } from "./noise-option.ts";
import { realNumber, seedList, wholeNumber } from "./number-options.ts";
import { GROUPS, given, openAnnounced } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { type TrainedModelFlags, trainedChoice, trainedModelOptions } from "./trained-model-options.ts";
import { warn } from "./warn.ts";

interface CertifyFlags extends TrainedModelFlags {
  readonly noise?: FlipNoise;
  readonly featureNoise?: FlipNoise;
  readonly noiseSeed: number;
  readonly noisyTraining?: boolean;
  readonly samples: number;
  readonly preSamples: number;
  readonly alpha: number;
  readonly nodes: string;
  readonly votes?: string;
  readonly attack?: string;
  readonly budget?: readonly number[];
  readonly out?: string;
}

/** The published setting, used without `--noise` and `--feature-noise`. */
const PUBLISHED: FlipNoise = { add: 0.001, delete: 0.4 };

/** `rgnn certify` */
export function certifyCommand(): Command {
  const command = new Command("certify").description(
    "Certify, by randomised smoothing, what no adversary can change about a model's predictions",
  );
  command
    .optionsGroup(GROUPS.certificates)
    .option(
      "--noise <probabilities>",
      "noise on edges: how likely a missing one is added and one is deleted (default add=0.001,delete=0.4, or none with --feature-noise)",
      flipNoise,
    )
    .option(
      "--feature-noise <probabilities>",
      "noise on binary features, such as add=0.0001,delete=0.6; see --binary-features",
      flipNoise,
    )
    .option("--noise-seed <n>", "seed of the noisy graphs, which models of all seeds vote on", wholeNumber, 0)
    .option("--noisy-training", "train with the same noise, a new noisy graph in every epoch")
    .option("--samples <n>", "noisy graphs whose votes bound how often a class is chosen", wholeNumber, 10_000)
    .option("--pre-samples <n>", "noisy graphs whose votes choose the class of each node before", wholeNumber, 1000)
    .option("--alpha <level>", "how often a certificate may be wrong", realNumber, 0.05)
    .option("--nodes <nodes>", "nodes to certify: test, train, val, all, or a list such as 0,5,9", "test")
    .option(
      "--votes <file>",
      "keep votes here (.safetensors); started again after a kill, the command goes on from them",
    )
    .option(
      "--attack <name>",
      `show beside certificates what this attack leaves of the smoothed model: ${Object.keys(globalAttacks).join(", ")}`,
    )
    .option("--budget <flips>", "budgets of --attack, in flips, such as 1,2,4 (default 1,2)", seedList);
  return trainedModelOptions(command, "certify")
    .option("--out <file>", "write what each node is certified against here (.csv or .json)")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn certify --dataset cora_ml --model gcn --binary-features --votes votes.safetensors\n  rgnn certify --dataset cora_ml --model soft-median-gdc --noise delete=0.4 --samples 1000 --seed 0,1,5",
    )
    .action(run);
}

async function run(flags: CertifyFlags, command: Command): Promise<void> {
  const list = modelList(flags, command);
  if (list !== null) return console.log(list);
  const { json, out, seed: seeds, votes } = flags;
  const smoothing = smoothingOf(flags);
  checkSmoothing(smoothing);
  checkFiles(flags);
  for (const seed of seeds) nameModel(choiceOf(flags, seed));
  for (const file of filesOf(flags)) await checkWritable(file);
  const session = await openAnnounced(flags);
  const bar = new ProgressBar();
  let runs: CertifyRun[];
  try {
    const choices = seeds.map((seed) => withNodes(session, choiceOf(flags, seed), flags.nodes));
    runs = await interruptible((signal) =>
      runCertify(session, choices, smoothing, { progress: bar, signal, warn }).finally(() => bar.finish()),
    );
    for (const { report, certificates } of runs) {
      if (out) await writeCertificates(fillIn(out, report), certificateRows(session, certificates));
    }
  } finally {
    await session.close();
  }
  const several = summariseCertificates(runs.map(({ report }) => report));
  const written = { out, votes };
  if (seeds.length > 1) console.log(json ? JSON.stringify(several) : describeCertificatesOfSeeds(several, written));
  else console.log(json ? JSON.stringify(runs[0].report) : describeCertificates(runs[0].report, written));
  endIfInterrupted(several.interrupted);
}

function smoothingOf(flags: CertifyFlags): SmoothingChoice {
  const { noise, featureNoise, noiseSeed, samples, preSamples, alpha, votes } = flags;
  const edges = noise ?? (featureNoise ? noNoise : PUBLISHED);
  const both = { edges, features: featureNoise ?? noNoise };
  const { attack, budget: budgets = [1, 2] } = flags;
  check(
    attack !== undefined || flags.budget === undefined,
    () => "--budget is that of --attack; leave it out, or name one",
  );
  const band = attack === undefined ? undefined : { attack, budgets };
  return { noise: both, noiseSeed, samples, preSamples, alpha, ...given({ votes, band }) };
}

function choiceOf(flags: CertifyFlags, seed: number): Omit<CertifyChoice, "nodes"> {
  const { weights, noisyTraining } = flags;
  const choice = trainedChoice(flags);
  return {
    ...choice,
    seed,
    ...(noisyTraining && { set: { ...trainingNoise(smoothingOf(flags)), ...choice.set } }),
    ...(weights !== undefined && { weights: fillIn(weights, { seed }) }),
  };
}

/** The noise as options of training. */
function trainingNoise({ noise: { edges, features } }: SmoothingChoice): Record<string, number> {
  return {
    edgeNoiseAdd: edges.add,
    edgeNoiseDelete: edges.delete,
    featureNoiseAdd: features.add,
    featureNoiseDelete: features.delete,
  };
}

function withNodes(session: Session, choice: Omit<CertifyChoice, "nodes">, nodes: string): CertifyChoice {
  return { ...choice, nodes: nodeList(session, choice.seed, nodes, ["test", "train", "val", "all"]) };
}

function checkFiles({ out, weights, seed }: CertifyFlags): void {
  if (out !== undefined) checkCertificatesFile(out);
  if (out !== undefined) checkTemplate("--out", out, { seed });
  if (weights !== undefined) checkTemplate("--weights", weights, { seed });
}

function filesOf({ out, votes, seed: seeds }: CertifyFlags): string[] {
  const results = out === undefined ? [] : seeds.map((seed) => fillIn(out, { seed }));
  return votes === undefined ? results : [...results, votes];
}
