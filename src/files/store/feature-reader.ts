import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import { decodeFloat16 } from "../../core/float16.ts";
import { readSoon } from "./mapped-file.ts";
import { checkSize, type PartReader } from "./part-reader.ts";
import { BYTES_OF, type StoreHeader } from "./store-header.ts";

/** Rows from which on the disk is told ahead what will be read: it answers many requests at once far faster than one by one. */
const TELL_AHEAD = 64;

/**
 * Reads rows of features. They are read and not mapped: most are looked at once, and a mapping would hold 4 KiB in the process for
 * each.
 */
export class FeatureReader {
  private readonly file: number;
  private readonly path: string;
  private readonly type: string;
  private readonly rowBytes: number;
  private readonly numFeatures: number;
  private readonly scales: PartReader<"f32"> | null;

  /** `scales` are of int8 and stay the caller's. */
  constructor(folder: string, { numFeatures, parts }: StoreHeader, scales: PartReader<"f32"> | null) {
    const part = parts["features"];
    this.path = join(folder, part.file);
    this.type = part.type;
    this.numFeatures = numFeatures;
    this.rowBytes = BYTES_OF[part.type] * numFeatures;
    checkSize(this.path, part);
    this.scales = scales;
    this.file = openSync(this.path, "r");
  }

  /** One row per node, in this order. */
  read(nodes: Int32Array): Float32Array {
    const { rowBytes, file } = this;
    if (nodes.length >= TELL_AHEAD) for (const node of nodes) readSoon(file, node * rowBytes, rowBytes);
    const bytes = new Uint8Array(nodes.length * rowBytes);
    for (let t = 0; t < nodes.length; t++) {
      const moved = readSync(file, bytes, t * rowBytes, rowBytes, nodes[t] * rowBytes);
      check(moved === rowBytes, () => `${this.path}: ended at the row of node ${nodes[t]}; was it cut off?`, DataError);
    }
    return this.decoded(bytes.buffer, nodes);
  }

  close(): void {
    closeSync(this.file);
  }

  private decoded(bytes: ArrayBuffer, nodes: Int32Array): Float32Array {
    if (this.type === "f32") return new Float32Array(bytes);
    if (this.type === "f16") return decodeFloat16(new Uint16Array(bytes));
    const { numFeatures, scales } = this;
    const steps = new Int8Array(bytes);
    const rows = new Float32Array(steps.length);
    for (let t = 0; t < nodes.length; t++) {
      const scale = scales!.range(nodes[t], nodes[t] + 1)[0];
      for (let k = t * numFeatures; k < (t + 1) * numFeatures; k++) rows[k] = steps[k] * scale;
    }
    return rows;
  }
}
