import type { SideBySideShape } from "../../../backend/backend.ts";
import { IntTensor, type Tensor } from "../../../tensor/index.ts";

/** Writes the matrices of some of the models that `from` holds into `to`, side by side in this order. */
export function selectModels(
  to: Tensor,
  from: Tensor,
  { models, width }: SideBySideShape,
  chosen: readonly number[],
): void {
  const rows = from.size / (models * width);
  const blocks = Array.from({ length: rows }, (_, i) => chosen.map((g) => i * models + g)).flat();
  const index = IntTensor.from(from.backend, blocks);
  from.backend.gatherRows(to.buffer, from.buffer, index.buffer, width);
  index.dispose();
}
