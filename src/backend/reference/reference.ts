import type { Backend, Device } from "../backend.ts";
import { complete, type KernelOptions } from "../compose/complete.ts";
import { activeMatrix } from "./active-matrix.ts";
import { adam } from "./adam.ts";
import { addLargest } from "./add-largest.ts";
import { batchNorm, batchNormGrad } from "./batch-norm.ts";
import { convolve, convolveGrad, convolveRows } from "./convolve.ts";
import { rowSums } from "./csr.ts";
import { degreeScale } from "./degree-scale.ts";
import * as dropout from "./dropout.ts";
import { edgeSoftmax, edgeSoftmaxGrad } from "./edge-softmax.ts";
import * as elementwise from "./elementwise.ts";
import { finishGrad, finishGradRows } from "./finish.ts";
import * as indexedRows from "./indexed-rows.ts";
import { localPageRank } from "./local-page-rank.ts";
import { matmul, reluGradProduct } from "./matmul.ts";
import { pairTerms } from "./pair-terms.ts";
import { pairSigns, pairSums } from "./pairs.ts";
import { productFinishGrad } from "./product-finish-grad.ts";
import { projectOntoBudget } from "./projection.ts";
import { pullRows } from "./pull-rows.ts";
import * as reductions from "./reductions.ts";
import * as rows from "./rows.ts";
import { resamplePairs, samplePairs } from "./sample-pairs.ts";
import { sandwich } from "./sandwich.ts";
import { sddmm } from "./sddmm.ts";
import { softMedian, softMedianGrad } from "./soft-median.ts";
import { softMedoid, softMedoidGrad } from "./soft-medoid.ts";
import { logSoftmaxRows, logSoftmaxRowsGrad, softmaxRows, softmaxRowsGrad } from "./softmax-rows.ts";
import { spmm } from "./spmm.ts";
import { spmmTransposed } from "./spmm-transposed.ts";
import { Storage } from "./storage.ts";
import { topK } from "./top-k.ts";
import { topKRows } from "./top-k-rows.ts";
import { transpose } from "./transpose.ts";
import { weightedMedian } from "./weighted-median.ts";

/**
 * The slow, obvious backend in float64: it defines every kernel, and other backends are tested against it.
 *
 * @example
 * const view = toDevice(createReference(), graph); // float64: what the other backends are compared with
 */
export function createReference(options?: KernelOptions): Backend {
  const storage = new Storage();
  const kernels: Device = {
    name: "reference",
    memory: storage,
    alloc: (dtype, length) => storage.alloc(dtype, length),
    upload: (data) => storage.upload(data),
    write: (buffer, data) => storage.write(buffer, data),
    read: async (buffer) => storage.read(buffer),
    view: (buffer, begin, length) => storage.view(buffer, begin, length),
    free: (buffer) => storage.free(buffer),
    close: async () => {},
    ...elementwise,
    ...dropout,
    ...rows,
    batchNorm,
    batchNormGrad,
    softmaxRows,
    softmaxRowsGrad,
    logSoftmaxRows,
    logSoftmaxRowsGrad,
    transpose,
    topKRows,
    ...indexedRows,
    ...reductions,
    matmul,
    reluGradProduct,
    spmm,
    spmmTransposed,
    convolve,
    convolveRows,
    convolveGrad,
    finishGrad,
    finishGradRows,
    productFinishGrad,
    sddmm,
    localPageRank,
    sandwich,
    rowSums,
    degreeScale,
    pairSums,
    pairTerms,
    edgeSoftmax,
    edgeSoftmaxGrad,
    weightedMedian,
    softMedian,
    softMedianGrad,
    pullRows,
    softMedoid,
    softMedoidGrad,
    topK,
    adam,
    projectOntoBudget,
    samplePairs,
    resamplePairs,
    addLargest,
    pairSigns,
    activeMatrix: (pairs, signs, weights, floor) => activeMatrix(storage, pairs, signs, weights, floor),
  };
  return complete(kernels, options);
}
