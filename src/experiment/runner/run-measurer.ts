import { check } from "../../core/errors.ts";
import type { Watch } from "../../nn/training/train.ts";
import { certifyRun } from "../certify/certify-run.ts";
import { Artefacts } from "../measure/artefacts.ts";
import { Measurer } from "../measure/measurer.ts";
import type { MeasureOptions } from "../measure/opened-run.ts";
import type { RunOutcome } from "../store/store.ts";
import { isCurrentCode } from "../study/code-of-cell.ts";
import type { RunDescription } from "../study/run-description.ts";
import { Validator } from "../tune/validator.ts";

/** Where runs are measured, and the folder of trained models, flips and votes. */
export interface RunMeasurerOptions extends Omit<MeasureOptions, "artefacts"> {
  readonly artefacts: string;
}

/**
 * Measures any run of a study: a model on its graph, attacked or not, certificates of a model, or its accuracy on
 * validation nodes.
 */
export class RunMeasurer {
  private readonly options: MeasureOptions;
  private readonly folder: string;
  private readonly attacks: Measurer;
  private readonly validations: Validator;

  constructor({ artefacts: folder, ...options }: RunMeasurerOptions) {
    this.folder = folder;
    this.options = { ...options, artefacts: new Artefacts(folder) };
    this.attacks = new Measurer(this.options);
    this.validations = new Validator(this.options);
  }

  async measure(run: RunDescription, watch: Watch = {}): Promise<RunOutcome> {
    const { certificate, quantity } = run.cell;
    if (!certificate && quantity !== "validation-accuracy") return this.attacks.measure(run, watch);
    check(
      isCurrentCode(run.cell),
      () => "was planned by another version of the code; plan the study again with this one",
    );
    if (!certificate) return this.validations.measure(run, watch);
    return certifyRun(run, certificate, { ...this.options, folder: this.folder }, watch);
  }

  async close(): Promise<void> {
    await this.attacks.close();
    await this.validations.close();
  }
}
