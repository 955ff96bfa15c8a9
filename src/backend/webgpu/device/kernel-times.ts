import { USAGE } from "./heap.ts";

const QUERY_RESOLVE = 512; // GPUBufferUsage.QUERY_RESOLVE, a global in browsers only
const STAMP_BYTES = 8;

/** Total time of the launches of one kernel. */
export interface KernelTime {
  readonly kernel: string;
  readonly launches: number;
  readonly milliseconds: number;
}

/**
 * Time that the device spends in each kernel, by its own clock: every launch gets a pass of its own, with a timestamp
 * at its beginning and end. Launches no longer overlap, so the sum is a little more than the time of a run without
 * timestamps.
 */
export class KernelTimes {
  private readonly device: GPUDevice;
  private readonly stamps: GPUQuerySet;
  private labels: string[] = [];
  private readonly pending: { labels: string[]; stamps: GPUBuffer }[] = [];

  /** `capacity`: most launches between two calls of {@link resolve}. The device must have `timestamp-query`. */
  constructor(device: GPUDevice, capacity: number) {
    this.device = device;
    this.stamps = device.createQuerySet({ type: "timestamp", count: 2 * capacity });
  }

  /** Where the pass of the next launch, of the kernel `label`, writes its timestamps. */
  next(label: string): GPUComputePassTimestampWrites {
    const first = 2 * this.labels.length;
    this.labels.push(label);
    return { querySet: this.stamps, beginningOfPassWriteIndex: first, endOfPassWriteIndex: first + 1 };
  }

  /** Adds commands to `encoder` that copy the timestamps so far. */
  resolve(encoder: GPUCommandEncoder): void {
    const { device, labels } = this;
    if (labels.length === 0) return;
    const size = 2 * STAMP_BYTES * labels.length;
    const resolved = device.createBuffer({ size, usage: QUERY_RESOLVE | USAGE.copySource });
    const stamps = device.createBuffer({ size, usage: USAGE.mapRead | USAGE.copyTarget });
    encoder.resolveQuerySet(this.stamps, 0, 2 * labels.length, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, stamps, 0, size);
    this.pending.push({ labels, stamps });
    this.labels = [];
  }

  /** Times of launches since the last call, the slowest kernel first. */
  async take(): Promise<KernelTime[]> {
    const totals = new Map<string, { launches: number; nanoseconds: number }>();
    for (const { labels, stamps } of this.pending.splice(0)) {
      await stamps.mapAsync(1);
      const times = new BigUint64Array(stamps.getMappedRange().slice(0));
      stamps.destroy();
      for (const [i, label] of labels.entries()) {
        const total = totals.get(label) ?? { launches: 0, nanoseconds: 0 };
        total.launches++;
        total.nanoseconds += Number(times[2 * i + 1] - times[2 * i]);
        totals.set(label, total);
      }
    }
    const list = Array.from(totals, ([kernel, { launches, nanoseconds }]) => {
      return { kernel, launches, milliseconds: nanoseconds / 1e6 };
    });
    return list.sort((a, b) => b.milliseconds - a.milliseconds);
  }
}
