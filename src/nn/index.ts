/**
 * Models, how they are trained and evaluated, and their saved weights.
 *
 * @module rgnn/nn
 */

export { type Aggregate, gcnAggregate } from "./layers/aggregate.ts";
export { allEdges, type Convolution, type ConvolutionStack, type SeenEdges } from "./layers/convolution-stack.ts";
export { featureProduct } from "./layers/feature-product.ts";
export { constant, fanInUniform, glorot } from "./layers/init.ts";
export type { Differentiable, Model, Pass } from "./model.ts";
export { Gat, type GatConfig, type GatStack, gatDefaults, type Neighbourhood } from "./models/gat.ts";
export {
  type Diffusion,
  denseGcnDefaults,
  Gcn,
  type GcnConfig,
  type GcnStack,
  gcnDefaults,
  linearGcnDefaults,
} from "./models/gcn.ts";
export { createGdc, type GdcConfig, gdcDefaults } from "./models/gdc.ts";
export { createGdcGat, type GdcGatConfig, gdcGatDefaults } from "./models/gdc-gat.ts";
export { type ResolvedHyperparameters, resolveHyperparameters } from "./models/hyperparameters.ts";
export { Mlp, type MlpConfig, mlpDefaults } from "./models/mlp.ts";
export type { Hyperparameters, ModelKind, Sizes } from "./models/model-kind.ts";
export { Pprgo, type PprgoConfig, type PprgoStack, pprgoDefaults } from "./models/pprgo.ts";
export { type Presets, presetOf, vanillaPresets } from "./models/presets.ts";
export { Sgc, type SgcConfig, sgcDefaults } from "./models/sgc.ts";
export { vanillaModels } from "./models/vanilla-models.ts";
export { crossEntropy } from "./training/cross-entropy.ts";
export { evaluate, evaluateSets, predict } from "./training/evaluate.ts";
export type { LabelledRows, RowsToLearn } from "./training/labelled-rows.ts";
export { accuracy, type NodeSet, nodeSet } from "./training/node-set.ts";
export { type NodePredictions, predictNodes } from "./training/predict-nodes.ts";
export { trainSideBySide } from "./training/side-by-side/train-side-by-side.ts";
export { type History, type TrainConfig, type TrainTask, train, trainDefaults, type Watch } from "./training/train.ts";
export { type PprgoTrainConfig, pprgoTrainDefaults, trainOnRows } from "./training/train-on-rows.ts";
export { trainPprgo } from "./training/train-pprgo.ts";
export type { Checkpoints, TrainingState } from "./training/training-state.ts";
export type { PygKind } from "./weights/pyg-layers.ts";
export { decodePyg, encodePyg, type PygModel, type PygOptions } from "./weights/pyg-layout.ts";
export { restoreModel } from "./weights/restore-model.ts";
export { decodeSafetensors, encodeSafetensors, type Safetensors, type StoredTensor } from "./weights/safetensors.ts";
export {
  assignWeights,
  decodeWeights,
  encodeWeights,
  type SavedWeights,
  type WeightsConfig,
  type WeightsFacts,
} from "./weights/weights.ts";
