// The kernels, one file per family. Each is called for a range of its work: (begin, end, ...arguments), where the range
// counts elements, rows, tiles or fixed chunks, as its own comment says. Addresses are byte offsets into the one memory.
export * from "./activematrix";
export * from "./adam";
export * from "./dropout";
export * from "./edgesoftmax";
export * from "./elementwise";
export * from "./gather";
export * from "./matmul";
export { neighbourhoodBytes } from "./neighbourhood";
export * from "./pairs";
export * from "./probe";
export * from "./project";
export * from "./pullrows";
export * from "./push";
export * from "./reduce";
export * from "./rows";
export * from "./sddmm";
export * from "./select";
export * from "./softmax";
export { softMedian, softMedianGrad, weightedMedian } from "./softmedian";
export { medoidBytes, softMedoid, softMedoidGrad } from "./softmedoid";
export * from "./spmm";
export * from "./topkrows";
export * from "./transpose";
export * from "./unary";
export * from "./unarygrad";
