import { choice, namedFunction, type Option, wholeNumber } from "../core/options/index.ts";
import type { AttackTask } from "./attack.ts";
import { type AttackLoss, lossByName, lossNames } from "./losses.ts";

/** Options that several attacks have, in the same words everywhere. */
export const blockSizeOption = wholeNumber({
  from: 1,
  default: 1_000_000,
  help: "candidate pairs considered at once; memory grows with it, not with n²",
});

export const drawOption = choice({
  of: ["stratified", "uniform"],
  default: "stratified",
  help: "stratified (one per stratum, no sort) or uniform (the literal algorithm)",
});

export const samplesOption = wholeNumber({ from: 1, default: 20, help: "discrete graphs tried at the end" });

/** The options, with the loss of the objective if it has one and the caller has not chosen another. */
export function withObjectiveLoss<O extends { readonly loss?: AttackLoss }>(options: O, { objective }: AttackTask): O {
  const loss = objective?.loss;
  return loss && options.loss === undefined ? { ...options, loss } : options;
}

/** The option for what an attack maximises; `name` is the default. */
export function lossOption(name: string): Option<AttackLoss> {
  return namedFunction({
    names: lossNames,
    byName: lossByName,
    default: name,
    must: "a function of logits and labels, such as tanhMargin",
    help: "what to maximise",
  });
}
