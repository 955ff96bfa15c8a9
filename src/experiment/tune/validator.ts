import { evaluateSets } from "../../nn/training/evaluate.ts";
import type { Watch } from "../../nn/training/train.ts";
import { ModelShelf } from "../measure/model-shelf.ts";
import { type MeasureOptions, type OpenedRun, openRun, placeKey } from "../measure/opened-run.ts";
import type { RunOutcome } from "../store/store.ts";
import { modelId, type RunDescription } from "../study/run-description.ts";

/** Measures the accuracy of models on validation nodes, and keeps the graph open from run to run. */
export class Validator {
  private readonly options: MeasureOptions;
  private place: Place | null = null;

  constructor(options: MeasureOptions) {
    this.options = options;
  }

  /**
   * Trains the model of a run, or loads it. The value is the accuracy on validation nodes, `clean` that on test nodes.
   */
  async measure(run: RunDescription, watch: Watch = {}): Promise<RunOutcome> {
    const begin = performance.now();
    const { opened, models } = await this.open(run);
    const { session, split, splitFacts } = opened;
    const { memory } = session.backend;
    memory.resetPeak();
    const model = await models.get(run, run.cell.model, watch);
    const [value, clean] = await evaluateSets(model, session.view, [split.val, split.test]);
    return {
      value,
      clean,
      seconds: (performance.now() - begin) / 1000,
      peakBytes: memory.peak,
      result: { model: modelId(run), split: { ...splitFacts }, facts: this.options.facts },
    };
  }

  async close(): Promise<void> {
    await this.place?.models.close();
    await this.place?.opened.session.close();
    this.place = null;
  }

  private async open(run: RunDescription): Promise<Place> {
    const key = placeKey(run);
    if (this.place?.key === key) return this.place;
    await this.close();
    const opened = await openRun(run, this.options);
    this.place = { key, opened, models: new ModelShelf(opened, this.options) };
    return this.place;
  }
}

/** A graph with one seed, and the models that learned from it. */
interface Place {
  readonly key: string;
  readonly opened: OpenedRun;
  readonly models: ModelShelf;
}
