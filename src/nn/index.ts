export { type Aggregate, gcnAggregate } from "./layers/aggregate.ts";
export type { Differentiable, Model, Pass } from "./model.ts";
export { Gat, type GatConfig, gatDefaults, gatOptions } from "./models/gat.ts";
export {
  denseGcnDefaults,
  denseGcnOptions,
  Gcn,
  type GcnConfig,
  gcnDefaults,
  gcnOptions,
  linearGcnDefaults,
  linearGcnOptions,
} from "./models/gcn.ts";
export { createGdc, type GdcConfig, gdcDefaults, gdcOptions } from "./models/gdc.ts";
export { createGdcGat, type GdcGatConfig, gdcGatDefaults, gdcGatOptions } from "./models/gdc-gat.ts";
export { resolveHyperparameters } from "./models/hyperparameters.ts";
export { Mlp, type MlpConfig, mlpDefaults, mlpOptions } from "./models/mlp.ts";
export type { Hyperparameters, ModelKind, Sizes } from "./models/model-kind.ts";
export { Pprgo, type PprgoConfig, pprgoDefaults, pprgoOptions } from "./models/pprgo.ts";
export { type Presets, presetOf, vanillaPresets } from "./models/presets.ts";
export { Sgc, type SgcConfig, sgcDefaults, sgcOptions } from "./models/sgc.ts";
export { vanillaModels } from "./models/vanilla-models.ts";
export { crossEntropy } from "./training/cross-entropy.ts";
export { evaluate, evaluateSets, predict } from "./training/evaluate.ts";
export { accuracy, type NodeSet, nodeSet, numCorrect } from "./training/node-set.ts";
export { type NodePredictions, predictNodes } from "./training/predict-nodes.ts";
export {
  type History,
  type TrainConfig,
  type TrainTask,
  train,
  trainDefaults,
  trainOptions,
  type Watch,
} from "./training/train.ts";
export { type PprgoTrainConfig, pprgoTrainDefaults, pprgoTrainOptions, trainPprgo } from "./training/train-pprgo.ts";
export { decodePyg, encodePyg, type PygModel, type PygOptions } from "./weights/pyg-layout.ts";
export { restoreModel } from "./weights/restore-model.ts";
export { decodeSafetensors, encodeSafetensors, type Safetensors, type StoredTensor } from "./weights/safetensors.ts";
export {
  assignWeights,
  decodeWeights,
  decodeWeightsConfig,
  encodeWeights,
  type SavedWeights,
  type WeightsConfig,
  type WeightsFacts,
} from "./weights/weights.ts";
