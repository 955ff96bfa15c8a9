import { decodeFloat16 } from "../../core/float16.ts";
import { PartFile } from "./part-file.ts";
import type { PartReader } from "./part-reader.ts";
import { BYTES_OF, type StoreHeader } from "./store-header.ts";

/** From this many rows on, the time that reading takes tells whether they come from the disk. */
const MANY = 64;
/** Milliseconds per row above which rows come from the disk, not from the system's cache. */
const FROM_DISK = 0.008;

/** Reads rows of features. */
export class FeatureReader {
  private readonly file: PartFile;
  private readonly type: string;
  private readonly rowBytes: number;
  private readonly numFeatures: number;
  private readonly scales: PartReader<"f32"> | null;
  /** Whether the last rows came from the disk. */
  private isCold = true;

  /** `scales` are for i8 features; the caller closes them. */
  constructor(folder: string, { numFeatures, parts }: StoreHeader, scales: PartReader<"f32"> | null) {
    const part = parts["features"];
    this.type = part.type;
    this.numFeatures = numFeatures;
    this.rowBytes = BYTES_OF[part.type] * numFeatures;
    this.scales = scales;
    this.file = new PartFile(folder, part);
  }

  /** One row per node, in this order. */
  read(nodes: Int32Array): Float32Array {
    const { rowBytes, file } = this;
    const begin = performance.now();
    // A disk answers many requests at once far faster than one by one. If rows are cached, this is only an extra call
    // each.
    if (this.isCold && nodes.length >= MANY) for (const node of nodes) file.readSoon(node * rowBytes, rowBytes);
    const bytes = new Uint8Array(nodes.length * rowBytes);
    for (let t = 0; t < nodes.length; t++) file.read(bytes, t * rowBytes, rowBytes, nodes[t] * rowBytes);
    if (nodes.length >= MANY) this.isCold = (performance.now() - begin) / nodes.length > FROM_DISK;
    return this.decoded(bytes.buffer, nodes);
  }

  close(): void {
    this.file.close();
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
