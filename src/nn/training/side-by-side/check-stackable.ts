import { check } from "../../../core/errors.ts";
import type { GraphView } from "../../../tensor/index.ts";
import type { Gcn } from "../../models/gcn.ts";
import { type NoiseConfig, noiseOptions } from "../options.ts";
import type { TrainTask } from "../train.ts";

const noises = Object.keys(noiseOptions) as (keyof NoiseConfig)[];

/** Throws unless these models can be trained side by side: GCNs of one shape, a task each, no overlay, no noise. */
export function checkStackable(
  models: readonly Gcn[],
  view: GraphView,
  tasks: readonly TrainTask[],
  noise: NoiseConfig,
): void {
  const fail = (why: string) => `training side by side: ${why}; train such models one by one`;
  check(
    models.length > 0 && models.length === tasks.length,
    () => `training side by side: ${models.length} models for ${tasks.length} tasks`,
  );
  check(new Set(models).size === models.length, () => "training side by side: a model is there twice");
  for (const [g, { name, config, parameters }] of models.entries()) {
    check(name === "gcn", () => fail(`model ${g} is a ${name}, not a gcn`));
    check(config["batchNorm"] === false, () => fail(`model ${g} has batch norm, which is not known side by side`));
    const option = Object.keys(config).find(
      (key) => key !== "init" && String(config[key]) !== String(models[0].config[key]),
    );
    check(option === undefined, () =>
      fail(`model ${g} has ${option} ${config[option!]}, model 0 has ${models[0].config[option!]}`),
    );
    for (const [parameter, { shape, backend }] of parameters) {
      const other = models[0].parameters.get(parameter)!;
      check(shape.join() === other.shape.join(), () =>
        fail(`${parameter} of model ${g} has shape [${shape.join(", ")}], of model 0 [${other.shape.join(", ")}]`),
      );
      check(backend === other.backend, () => fail(`models 0 and ${g} are on different backends`));
    }
  }
  check(view.overlay === null, () => fail("candidate edges lie over the graph"));
  const noisy = noises.find((name) => noise[name] > 0);
  check(noisy === undefined, () => fail(`with ${noisy} each model sees another graph`));
}
