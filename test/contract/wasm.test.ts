import { createWasm } from "../../src/backend/wasm/wasm.ts";
import { backendSuite } from "./backend-suite.ts";

/** One pass instead of several pays where launches and passes over memory do, on a GPU. */
const skip = [
  "margins > compares an entry of each row with the largest other, the first on ties, and goes back to both",
  "reluGradProduct > multiplies what of a gradient passes a relu, over the result or added to it",
  "tanhMargins > adds up the tanh of margins, and goes back to both entries of each row",
  "tanhMargins > counts rows whose column is the first of the largest",
  "productFinishGrad > goes back through a product and what the matrix before it finished with",
  "degreeScale > inverts degrees with self loops, of edges alone or with weighted ones",
  "finishGradRows > puts what goes back through some rows in their places among all",
  ...["rows of any length", "rows that no workgroup stages at once", "no entries", "one node"].flatMap((graph) => [
    `convolveGrad > multiplies the gradients of rows with the rows in a graph with ${graph}`,
    `convolveRows > is some rows of a convolution in a graph with ${graph}`,
  ]),
].map((test) => ({ test, reason: "the CPU takes several passes" }));

backendSuite("wasm, one thread", () => createWasm({ threads: 1 }), { skip });
backendSuite("wasm, two threads", () => createWasm({ threads: 2 }), { skip });
backendSuite("wasm, three threads", () => createWasm({ threads: 3 }), { skip });
backendSuite("wasm, without relaxed SIMD", () => createWasm({ threads: 2, relaxedSimd: false }), { skip });
