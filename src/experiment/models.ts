import { robustModels } from "../defense/robust-models.ts";
import { robustPresets } from "../defense/robust-presets.ts";
import type { ModelKind } from "../nn/model-kind.ts";
import { type Presets, vanillaPresets } from "../nn/presets.ts";
import { vanillaModels } from "../nn/vanilla-models.ts";

/** Every model that can be asked for by name. */
export const modelKinds: Readonly<Record<string, ModelKind>> = { ...vanillaModels, ...robustModels };

/** Published hyperparameters of these. */
export const presets: Presets = { ...vanillaPresets, ...robustPresets };
