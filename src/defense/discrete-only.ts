import { check } from "../core/errors.ts";
import type { GraphView } from "../tensor/index.ts";

/** Throws if the view has an overlay: for models without a gradient by edges, which work on discrete graphs only. */
export function refuseOverlay(model: string, view: GraphView): void {
  check(!view.overlay, () => `${model} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`);
}
