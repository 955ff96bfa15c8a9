import { gatherRows, type IntTensor, logSoftmax, mean, pick, type Tensor } from "../../tensor/index.ts";

/** Mean cross-entropy of `nodes`, whose classes are `labels` (one per node of the set). */
export function crossEntropy(logits: Tensor, nodes: IntTensor, labels: IntTensor): Tensor {
  return rowCrossEntropy(gatherRows(logits, nodes), labels);
}

/** Mean cross-entropy of all rows of `logits`. */
export function rowCrossEntropy(logits: Tensor, labels: IntTensor): Tensor {
  return mean(pick(logSoftmax(logits), labels), -1);
}
