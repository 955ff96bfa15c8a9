/** Buffers on a device. */
export interface Storage {
  /** Uninitialised storage. Throws a `MemoryError` that says what was asked for and what is in use. */
  alloc(dtype: DType, length: number): Buffer;
  /** A new buffer with a copy of these values: `i32` from an Int32Array, `f32` from floats. */
  upload(data: Float32Array | Float64Array | Int32Array): Buffer;
  /** Overwrites the first `data.length` elements. */
  write(buffer: Buffer, data: Float32Array | Float64Array | Int32Array): void;
  /** A copy of the values, once all launched work is done. */
  read(buffer: Buffer): Promise<Float32Array | Float64Array | Int32Array>;
  /**
   * Elements `begin` … `begin + length − 1` of a buffer, as a buffer that shares its storage; `begin` must be a
   * multiple of 64. A view becomes invalid when its buffer is freed, and is not freed itself.
   */
  view(buffer: Buffer, begin: number, length: number): Buffer;
  /** Gives storage back; using the buffer afterwards is an error. */
  free(buffer: Buffer): void;
}

/** What a buffer holds: 32-bit floats, or 32-bit integers. */
export type DType = "f32" | "i32";

/** Storage on a device. Opaque: only the backend that made it knows what is inside. */
export interface Buffer {
  readonly dtype: DType;
  readonly length: number;
}

/** Bytes in use: now, and at most since the backend was created or {@link resetPeak} was called. */
export interface MemoryUse {
  readonly current: number;
  readonly peak: number;
  resetPeak(): void;
}

/** Compressed sparse rows. `values: null` means all stored entries are 1. */
export interface CsrBuffers {
  readonly numRows: number;
  readonly numCols: number;
  readonly rowPtr: Buffer;
  readonly colIdx: Buffer;
  readonly values: Buffer | null;
}

/** Node pairs; undirected ones have source < target. */
export interface PairBuffers {
  readonly numNodes: number;
  readonly directed: boolean;
  readonly length: number;
  readonly sources: Buffer;
  readonly targets: Buffer;
}
