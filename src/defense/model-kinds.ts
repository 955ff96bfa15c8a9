import type { ModelKind } from "../nn/models/model-kind.ts";
import { type Presets, vanillaPresets } from "../nn/models/presets.ts";
import { vanillaModels } from "../nn/models/vanilla-models.ts";
import { robustModels } from "./robust-models.ts";
import { robustPresets } from "./robust-presets.ts";

/** Every model that can be asked for by name. */
export const modelKinds: Readonly<Record<string, ModelKind>> = { ...vanillaModels, ...robustModels };

/** Published hyperparameters of these models. */
export const presets: Presets = { ...vanillaPresets, ...robustPresets };
