import type { Backend, Buffer, Finish, MatmulSize, Scale, SddmmOptions } from "./backend.ts";

type Parts = Pick<
  Backend,
  | "alloc"
  | "free"
  | "view"
  | "affine"
  | "affineCols"
  | "rowDots"
  | "scaleRows"
  | "spmm"
  | "sddmm"
  | "unary"
  | "unaryGrad"
>;

type Composed = Pick<Backend, "convolve" | "finishGrad" | "sddmm">;

/** Convolution, its gradients and finishing, put together from simpler kernels, for backends that do not fuse them. */
export function composeConvolve(backend: Parts): Composed {
  const { scaleRows } = backend;
  return {
    convolve(out, { A, B }, X, cols, scale, finish) {
      const { numRows } = A;
      const y = backend.view(out, 0, numRows * cols);
      scaled(scale, "right", X, numRows, cols, (from) => {
        backend.spmm(y, A, from, cols);
        if (B) backend.spmm(y, B, from, cols, true);
        backend.affine(y, 1, y, 1, from, 0);
      });
      if (scale.sides !== "right") scaleRows(y, y, scale.by, numRows, cols);
      finishInPlace(backend, y, numRows, cols, finish);
    },
    finishGrad(dZ, dots, dY, Y, rows, cols, { bias, relu }) {
      const size = rows * cols;
      if (relu) backend.unaryGrad("relu", backend.view(dZ, 0, size), dY, Y, Y);
      const gradient = relu ? dZ : dY;
      if (!bias) {
        backend.rowDots(dots, gradient, Y, rows, cols);
        return;
      }
      borrow(backend, size, (Z) => {
        borrow(backend, cols, (negated) => {
          backend.affine(negated, -1, bias, 0, null, 0);
          backend.affineCols(Z, Y, null, negated, rows, cols);
        });
        backend.rowDots(dots, gradient, Z, rows, cols);
      });
    },
    sddmm(out, pairs, P, Q, cols, { scale, ...options }: SddmmOptions = {}) {
      if (!scale) {
        backend.sddmm(out, pairs, P, Q, cols, options);
        return;
      }
      scaled(scale, "left", P, pairs.numNodes, cols, (p) => {
        scaled(scale, "right", Q, pairs.numNodes, cols, (q) => backend.sddmm(out, pairs, p, q, cols, options));
      });
    },
  };

  /** L·X or R·X for the time of `use`: X itself where that side is not scaled. */
  function scaled(
    { by, sides }: Scale,
    side: "left" | "right",
    X: Buffer,
    rows: number,
    cols: number,
    use: (X: Buffer) => void,
  ): void {
    if (sides !== side && sides !== "both") {
      use(X);
      return;
    }
    borrow(backend, rows * cols, (temporary) => {
      scaleRows(temporary, X, by, rows, cols);
      use(temporary);
    });
  }
}

/** A matrix product that is finished afterwards. */
export function composeFinish(
  backend: Pick<Backend, "affineCols" | "unary" | "view">,
  product: (out: Buffer, A: Buffer, B: Buffer, size: MatmulSize) => void,
): Pick<Backend, "matmul"> {
  return {
    matmul(out, A, B, size, finish) {
      product(out, A, B, size);
      if (finish) finishInPlace(backend, backend.view(out, 0, size.m * size.n), size.m, size.n, finish);
    },
  };
}

/** Y ← finish(Y). */
function finishInPlace(
  backend: Pick<Backend, "affineCols" | "unary">,
  Y: Buffer,
  rows: number,
  cols: number,
  { bias, relu }: Finish = {},
): void {
  if (bias) backend.affineCols(Y, Y, null, bias, rows, cols);
  if (relu) backend.unary("relu", Y, Y);
}

function borrow(backend: Parts, length: number, use: (buffer: Buffer) => void): void {
  const buffer = backend.alloc("f32", length);
  try {
    use(buffer);
  } finally {
    backend.free(buffer);
  }
}
