import { check } from "../../core/errors.ts";
import type { Watch } from "../../nn/training/train.ts";
import { certifyRun } from "../certify/certify-run.ts";
import { Artefacts } from "../measure/artefacts.ts";
import { Measurer } from "../measure/measurer.ts";
import type { MeasureOptions } from "../measure/opened-run.ts";
import type { RunOutcome } from "../store/store.ts";
import { isCurrentCode } from "../study/code-of-cell.ts";
import type { RunDescription } from "../study/run-description.ts";

/** Where runs are measured, and the folder of trained models, flips and votes. */
export interface RunMeasurerOptions extends Omit<MeasureOptions, "artefacts"> {
  readonly artefacts: string;
}

/** Measures any run of a study: what an attack does to a model, or what it is certified to stand. */
export class RunMeasurer {
  private readonly options: MeasureOptions;
  private readonly folder: string;
  private readonly attacks: Measurer;

  constructor({ artefacts: folder, ...options }: RunMeasurerOptions) {
    this.folder = folder;
    this.options = { ...options, artefacts: new Artefacts(folder) };
    this.attacks = new Measurer(this.options);
  }

  async measure(run: RunDescription, watch: Watch = {}): Promise<RunOutcome> {
    const { certificate } = run.cell;
    if (!certificate) return this.attacks.measure(run, watch);
    check(
      isCurrentCode(run.cell),
      () => "was planned by another version of the code; plan the study again with this one",
    );
    return certifyRun(run, certificate, { ...this.options, folder: this.folder }, watch);
  }

  close(): Promise<void> {
    return this.attacks.close();
  }
}
