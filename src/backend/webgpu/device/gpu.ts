import { check, DeviceError, MemoryError } from "../../../core/errors.ts";
import type { Buffer, CsrBuffers, PairBuffers } from "../../backend.ts";
import type { Device } from "./device.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { Heap, megabytes, USAGE } from "./heap.ts";
import { KernelTimes } from "./kernel-times.ts";
import { type Stretch, stretchesOf } from "./memory-parts.ts";
import { type Kernel, type NamedBuffers, type NamedNumbers, Pipelines, type Variant } from "./pipelines.ts";
import type { KernelSource } from "./shader.ts";

/** Threads of a workgroup, unless a kernel has its own number. */
export const WORKGROUP = 256;

/** A kernel, its arguments by name, and its size: in threads (workgroups of {@link WORKGROUP}) or in workgroups. */
export type Launch = KernelSource & {
  readonly bind: NamedBuffers;
  readonly params?: NamedNumbers;
} & ({ readonly threads: number; readonly groups?: never } | { readonly groups: number; readonly threads?: never });

/** Type and number of the elements of a buffer that is lent. */
export type ScratchSize = { readonly f32: number } | { readonly i32: number };

/** Launches per submission: the device works on one batch while the next is prepared. */
const BATCH = 64;
/** Bind groups to keep for reuse. */
const MAX_BIND_GROUPS = 8192;
/** Reads of up to this many bytes reuse staging buffers. */
const SMALL_READ = 256;
const NO_PARAMS: NamedNumbers = {};
/** Most bytes of one write to the queue, which holds a copy of them until the write is done. */
const WRITE_BYTES = 2 ** 26;

/**
 * Launches kernels: collects them in one command encoder, with the parameters of all of them in one uniform buffer, and
 * submits them when a batch is full or somebody waits.
 */
export class Gpu {
  readonly heap: Heap;
  readonly device: GPUDevice;
  readonly subgroupSize: number;
  readonly hasMatrixUnits: boolean;
  /** Most bytes of one binding. Read once, like `maxGroups`: reading a device's limits takes microseconds. */
  readonly maxBinding: number;
  private readonly maxGroups: number;
  private readonly pipelines: Pipelines;
  private readonly uniforms: GPUBuffer;
  private readonly slot: number;
  private readonly staging: { bytes: Uint8Array<ArrayBuffer>; u32: Uint32Array; i32: Int32Array; f32: Float32Array };
  private readonly bindGroups = new Map<string, GPUBindGroup>();
  private readonly placeholders: GpuBuffer[] = [];
  private readonly smallReads: GPUBuffer[] = [];
  private readonly dynamicOffset = new Uint32Array(1);
  private encoder: GPUCommandEncoder | null = null;
  private pass: GPUComputePassEncoder | null = null;
  private launches = 0;
  private failure: Error | null = null;
  private closed = false;
  private times: KernelTimes | null = null;
  /** Called when the device is lost, to reject pending reads: WebGPU does not always reject them. */
  private readonly waiting = new Set<(failure: Error) => void>();

  constructor({ device, subgroupSize, hasMatrixUnits }: Device) {
    this.device = device;
    this.subgroupSize = subgroupSize;
    this.hasMatrixUnits = hasMatrixUnits;
    const { limits } = device;
    this.maxBinding = limits.maxStorageBufferBindingSize;
    this.maxGroups = limits.maxComputeWorkgroupsPerDimension;
    this.heap = new Heap(device, () => this.releaseBindings());
    this.pipelines = new Pipelines(device, subgroupSize > 1);
    this.slot = Math.max(64, limits.minUniformBufferOffsetAlignment);
    const size = this.slot * BATCH;
    this.uniforms = device.createBuffer({ size, usage: USAGE.uniform | USAGE.copyTarget });
    const bytes = new ArrayBuffer(size);
    this.staging = {
      bytes: new Uint8Array(bytes),
      u32: new Uint32Array(bytes),
      i32: new Int32Array(bytes),
      f32: new Float32Array(bytes),
    };
    device.addEventListener("uncapturederror", (event) => this.fail((event as GPUUncapturedErrorEvent).error));
    device.lost.then(({ reason, message }) => {
      if (this.closed) return;
      this.failure ??= lost(reason, message);
      for (const giveUp of this.waiting) giveUp(this.failure);
    });
  }

  /** Launches a kernel. Arguments and parameters are checked against what its files declare. */
  launch(launch: Launch): void {
    this.checkAlive();
    const groups = launch.groups ?? Math.ceil((launch.threads ?? 0) / WORKGROUP);
    if (groups === 0) return;
    const kernel = this.pipelines.get(launch);
    const buffers = this.arrange(kernel, launch.bind);
    const copies: GpuBuffer[] = [];
    const same = this.separate(kernel, buffers, copies); // before choosing a slot: allocating copies may flush
    if (this.launches === BATCH) this.flush();
    const offset = this.launches * this.slot;
    kernel.writeParams(launch.params ?? NO_PARAMS, this.staging, offset / 4);
    const variant = kernel.variant(same);
    const pass = this.openPass(kernel.label);
    pass.setPipeline(variant.pipeline);
    this.dynamicOffset[0] = offset;
    pass.setBindGroup(0, this.bindGroup(variant, buffers), this.dynamicOffset, 0, 1);
    const layers = Math.ceil(groups / this.maxGroups);
    pass.dispatchWorkgroups(Math.ceil(groups / layers), layers);
    this.launches++;
    for (const copy of copies) this.heap.free(copy);
  }

  /** From now on the device measures every launch. */
  measureKernels(): KernelTimes {
    check(this.device.features.has("timestamp-query"), () => "webgpu: this device has no clock for kernels");
    this.flush();
    return (this.times ??= new KernelTimes(this.device, BATCH));
  }

  /** Submits the collected launches to the device. */
  flush(): void {
    if (!this.encoder) return;
    this.pass?.end();
    this.times?.resolve(this.encoder);
    const { queue } = this.device;
    if (this.launches > 0) queue.writeBuffer(this.uniforms, 0, this.staging.bytes, 0, this.launches * this.slot);
    queue.submit([this.encoder.finish()]);
    this.encoder = null;
    this.pass = null;
    this.launches = 0;
  }

  upload(data: Float32Array | Float64Array | Int32Array): GpuBuffer {
    const buffer = this.heap.alloc(data instanceof Int32Array ? "i32" : "f32", data.length);
    this.write(buffer, data);
    return buffer;
  }

  write(buffer: GpuBuffer, data: Float32Array | Float64Array | Int32Array): void {
    this.checkAlive();
    this.flush(); // earlier launches must read the old values
    buffer.memory.version++;
    const step = WRITE_BYTES / 4;
    for (let begin = 0; begin < data.length; begin += step) {
      const part = data.subarray(begin, begin + step);
      const words = part instanceof Float64Array ? Float32Array.from(part) : part;
      let from = words.byteOffset;
      for (const to of stretchesOf(buffer.memory, buffer.offset + 4 * begin, words.byteLength)) {
        this.device.queue.writeBuffer(to.buffer, to.offset, words.buffer as ArrayBuffer, from, to.bytes);
        from += to.bytes;
      }
    }
  }

  /** The values after all launched work is done. Reads in the same turn of the event loop are submitted together. */
  async read(buffer: GpuBuffer): Promise<Float32Array | Int32Array> {
    this.checkAlive();
    const size = 4 * buffer.length;
    if (size === 0) return buffer.dtype === "i32" ? new Int32Array(0) : new Float32Array(0);
    const stretches = stretchesOf(buffer.memory, buffer.offset, size);
    if (stretches.length > 1) return this.readParts(buffer, stretches);
    const staging = this.takeStaging(size);
    const [from] = stretches;
    this.openEncoder().copyBufferToBuffer(from.buffer, from.offset, staging, 0, size);
    try {
      await Promise.resolve();
      this.flush();
      await this.unlessLost(staging.mapAsync(1, 0, size));
      const bytes = staging.getMappedRange(0, size).slice(0);
      staging.unmap();
      return buffer.dtype === "i32" ? new Int32Array(bytes) : new Float32Array(bytes);
    } catch (error) {
      throw this.failure ?? error;
    } finally {
      if (size <= SMALL_READ) this.smallReads.push(staging);
      else staging.destroy();
      this.checkAlive();
    }
  }

  private async readParts(buffer: GpuBuffer, stretches: readonly Stretch[]): Promise<Float32Array | Int32Array> {
    const values = buffer.dtype === "i32" ? new Int32Array(buffer.length) : new Float32Array(buffer.length);
    let begin = 0;
    const reads = stretches.map(({ bytes }) => {
      const at = begin;
      begin += bytes / 4;
      return this.read(buffer.window(at, bytes / 4)).then((part) => values.set(part, at));
    });
    await Promise.all(reads);
    return values;
  }

  /** Lends buffers to `use`, then frees them. Work that `use` launched may run later: the queue keeps order. */
  borrow<Name extends string, T>(
    sizes: Readonly<Record<Name, ScratchSize>>,
    use: (lent: Readonly<Record<Name, GpuBuffer>>) => T,
  ): T {
    const lent = {} as Record<Name, GpuBuffer>;
    const inOrder: GpuBuffer[] = [];
    for (const name in sizes) {
      const size = sizes[name];
      const buffer = "f32" in size ? this.heap.alloc("f32", size.f32) : this.heap.alloc("i32", size.i32);
      lent[name] = buffer;
      inOrder.push(buffer);
    }
    try {
      return use(lent);
    } finally {
      for (const buffer of inOrder.reverse()) this.heap.free(buffer);
    }
  }

  floats(kernel: string, argument: string, buffer: Buffer, length = 0): GpuBuffer {
    return this.heap.stored(kernel, argument, buffer, "f32", length);
  }

  ints(kernel: string, argument: string, buffer: Buffer, length = 0): GpuBuffer {
    return this.heap.stored(kernel, argument, buffer, "i32", length);
  }

  floatsOrNone(kernel: string, argument: string, buffer: Buffer | null | undefined, length: number): GpuBuffer | null {
    return buffer ? this.floats(kernel, argument, buffer, length) : null;
  }

  /** The buffers of a sparse matrix. Lengths of entries are not checked: only the device knows how many there are. */
  csr(kernel: string, S: CsrBuffers) {
    const rowPtr = this.ints(kernel, "S.rowPtr", S.rowPtr, S.numRows + 1);
    const colIdx = this.ints(kernel, "S.colIdx", S.colIdx);
    return { rowPtr, colIdx, values: this.floatsOrNone(kernel, "S.values", S.values, 0) };
  }

  pairs(kernel: string, pairs: PairBuffers) {
    const sources = this.ints(kernel, "pairs.sources", pairs.sources, pairs.length);
    const targets = this.ints(kernel, "pairs.targets", pairs.targets, pairs.length);
    return { sources, targets };
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.flush();
    await this.device.queue.onSubmittedWorkDone().catch(() => {});
    this.closed = true;
    this.device.destroy();
  }

  private unlessLost(work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      work.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  private takeStaging(size: number): GPUBuffer {
    const waiting = size <= SMALL_READ ? this.smallReads.pop() : undefined;
    const usage = USAGE.mapRead | USAGE.copyTarget;
    return waiting ?? this.device.createBuffer({ size: Math.max(size, SMALL_READ), usage });
  }

  private openEncoder(): GPUCommandEncoder {
    this.pass?.end();
    this.pass = null;
    this.encoder ??= this.device.createCommandEncoder();
    return this.encoder;
  }

  private openPass(label: string): GPUComputePassEncoder {
    if (this.times) {
      const encoder = this.openEncoder();
      return (this.pass = encoder.beginComputePass({ timestampWrites: this.times.next(label) }));
    }
    this.encoder ??= this.device.createCommandEncoder();
    this.pass ??= this.encoder.beginComputePass();
    return this.pass;
  }

  private arrange(kernel: Kernel, bind: NamedBuffers): GpuBuffer[] {
    const buffers = kernel.arrange(bind);
    for (let i = 0; i < buffers.length; i++) buffers[i] ??= this.placeholder(i);
    return buffers as GpuBuffer[];
  }

  /**
   * Finds arguments that are the same buffer and must share a binding: `same[i]` is the written argument equal to
   * argument i, else i; null if all differ. If another part of a written buffer is read, that part is copied first,
   * because WebGPU allows no second use of a written buffer in a launch.
   */
  private separate({ shader, written }: Kernel, buffers: GpuBuffer[], copies: GpuBuffer[]): number[] | null {
    let same: number[] | null = null;
    for (const w of written) {
      if (same && same[w] !== w) continue;
      const target = buffers[w];
      target.memory.version++;
      for (let i = 0; i < buffers.length; i++) {
        const other = buffers[i];
        if (i === w || other.memory !== target.memory) continue;
        if (other.offset === target.offset) {
          same ??= buffers.map((_, k) => k);
          same[i] = w;
        } else if (!shader.bindings[i].writable) copies.push((buffers[i] = this.copied(other)));
      }
    }
    return same;
  }

  private copied(buffer: GpuBuffer): GpuBuffer {
    const copy = this.heap.alloc(buffer.dtype, buffer.length);
    const { memory, offset, length } = buffer;
    copy.memory.version++;
    let to = 0;
    for (const from of stretchesOf(memory, offset, 4 * length)) {
      this.openEncoder().copyBufferToBuffer(from.buffer, from.offset, copy.memory.parts[0], to, from.bytes);
      to += from.bytes;
    }
    return copy;
  }

  private bindGroup({ id, layout, bound }: Variant, buffers: readonly GpuBuffer[]): GPUBindGroup {
    let key = `${id}`;
    for (const i of bound) key += `,${buffers[i].memory.id}:${buffers[i].offset}:${buffers[i].length}`;
    const known = this.bindGroups.get(key);
    if (known) return known;
    if (this.bindGroups.size >= MAX_BIND_GROUPS) this.bindGroups.clear();
    const entries: GPUBindGroupEntry[] = [
      { binding: 0, resource: { buffer: this.uniforms, offset: 0, size: this.slot } },
      ...bound.map((i) => ({ binding: i + 1, resource: this.range(buffers[i]) })),
    ];
    const made = this.device.createBindGroup({ layout, entries });
    this.bindGroups.set(key, made);
    return made;
  }

  private range({ memory, offset, length }: GpuBuffer): GPUBufferBinding {
    const part = Math.floor(offset / memory.partBytes);
    const begin = part * memory.partBytes;
    const end = Math.min(memory.bytes, begin + memory.partBytes);
    const size = Math.min(memory.bytes - offset, Math.max(16, Math.ceil(length / 4) * 16));
    check(
      size <= this.maxBinding,
      () =>
        `webgpu: a kernel was given ${megabytes(size)} at once, the device allows ` +
        `${megabytes(this.maxBinding)}; use a smaller graph, fewer features or --device cpu`,
      MemoryError,
    );
    check(
      offset + size <= end,
      () =>
        `webgpu: a matrix of ${megabytes(memory.bytes)} is kept in buffers of ${megabytes(memory.partBytes)}, and one of its rows ` +
        `would lie in two of them; use a number of columns that divides ${memory.partBytes / 256}`,
      MemoryError,
    );
    return { buffer: memory.parts[part], offset: offset - begin, size };
  }

  /** Bound in place of an unused argument of any type; one per position, because no buffer may be bound twice. */
  private placeholder(position: number): GpuBuffer {
    return (this.placeholders[position] ??= this.heap.reserve(8));
  }

  private releaseBindings(): void {
    this.flush();
    this.bindGroups.clear();
  }

  private fail(error: GPUError): void {
    const [text] = error.message.split("\n");
    this.failure ??=
      error.constructor.name === "GPUOutOfMemoryError"
        ? new MemoryError(
            `webgpu: the device is out of memory with ${megabytes(this.heap.reserved)} taken; use a smaller block or graph`,
          )
        : new Error(`webgpu: ${text} ${error.message.slice(text!.length, 2000)}`);
  }

  private checkAlive(): void {
    check(!this.closed, () => "webgpu: the backend was closed");
    if (this.failure) throw this.failure;
  }
}

function lost(reason: string, message: string): DeviceError {
  const [why] = message.split("\n");
  return new DeviceError(
    `webgpu: the device was lost (${reason}${why ? `: ${why}` : ""}); what was stored before is kept, start again or use --device cpu`,
  );
}
