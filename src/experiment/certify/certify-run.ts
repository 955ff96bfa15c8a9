import { join } from "node:path";
import { objectiveByName } from "../../attack/objective.ts";
import { classify, TargetOutcomes } from "../../attack/target-outcomes.ts";
import type { Json } from "../../core/options/index.ts";
import { isNoisy } from "../../graph/noise/noise.ts";
import { checkNoiseOn } from "../../graph/noise/noisy-graphs.ts";
import type { Watch } from "../../nn/training/train.ts";
import { cleanGraph } from "../details/clean-graph.ts";
import type { RunDetails } from "../details/run-details.ts";
import { targetProfile } from "../details/target-profile.ts";
import { ModelShelf } from "../measure/model-shelf.ts";
import { type MeasureOptions, openRun } from "../measure/opened-run.ts";
import { stopIfAborted } from "../measure/stop-if-aborted.ts";
import type { RunOutcome } from "../store/store.ts";
import { type CertificateDescription, modelId, type RunDescription, runId } from "../study/run-description.ts";
import { certifiedNodes } from "./certify-report.ts";
import { collectVotes } from "./collect-votes.ts";

/** Where certificates are measured. */
export interface CertifyOptions extends MeasureOptions {
  /** Folder for votes, to continue from after a kill. */
  readonly folder: string;
}

/** Certifies the model of a run that asks for it. The value is the accumulated certificate. */
export async function certifyRun(
  run: RunDescription,
  certificate: CertificateDescription,
  options: CertifyOptions,
  watch: Watch,
): Promise<RunOutcome> {
  const begin = performance.now();
  const opened = await openRun(run, options);
  const { session, split } = opened;
  const shelf = new ModelShelf(opened, options);
  try {
    const { edges, features, noiseSeed, alpha } = certificate;
    const noise = { edges, features };
    checkNoiseOn(session.graph, noise);
    const { memory } = session.backend;
    memory.resetPeak();
    const model = await shelf.get(run, run.cell.model, watch);
    const samples = { choosing: certificate.preSamples, bounding: certificate.samples };
    const id = runId(run);
    const file = join(options.folder, "votes", id.slice(0, 2), `${id}.safetensors`);
    const models = [{ kind: run.cell.model.name, model }];
    const { votes, interrupted } = await collectVotes(session, { models, noise, noiseSeed, samples, file }, watch);
    if (interrupted) stopIfAborted(watch);
    const { accuracy: smoothed, ...certified } = certifiedNodes(votes[0], split.test, session.graph.labels, {
      noise,
      alpha,
    });
    const { graph, classes } = session;
    const before = await classify(model, session.view, split.test, objectiveByName("accuracy", classes));
    const clean = new TargetOutcomes(graph.labels, split.test, before, before).accuracy.clean;
    const known = cleanGraph(graph, classes, split.train);
    const details: RunDetails = {
      graph: known.profile,
      targets: targetProfile(known, split.test, before, null),
      training: options.artefacts.loadTraining(modelId(run)),
      flips: null,
      attack: null,
    };
    const { accumulated } = certified;
    return {
      value: isNoisy(edges) ? accumulated.edges : accumulated.features,
      clean,
      seconds: (performance.now() - begin) / 1000,
      peakBytes: memory.peak,
      result: {
        accuracy: { clean, smoothed },
        ...(certified as unknown as Record<string, Json>),
        model: modelId(run),
        split: { ...opened.splitFacts },
        facts: options.facts,
        details: details as unknown as Json,
      },
    };
  } finally {
    await shelf.close();
    await session.close();
  }
}
