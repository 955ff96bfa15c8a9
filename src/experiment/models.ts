import type { ModelKind } from "../nn/model-kind.ts";
import { vanillaModels } from "../nn/vanilla-models.ts";

/** Every model that can be asked for by name. */
export const modelKinds: Readonly<Record<string, ModelKind>> = { ...vanillaModels };
