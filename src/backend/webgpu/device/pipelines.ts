import type { GpuBuffer } from "./gpu-buffer.ts";
import { assemble, type KernelSource, type Shader, shaderCode } from "./shader.ts";

/** Arguments of a launch by their names in the shader; null for one that this launch does not use. */
export type NamedBuffers = Readonly<Record<string, GpuBuffer | null>>;
/** Parameters of a launch by their names in the shader. */
export type NamedNumbers = Readonly<Record<string, number>>;

/** A kernel that can be launched. */
export class Kernel {
  readonly label: string;
  readonly shader: Shader;
  /** Indices of the arguments that the kernel writes. */
  readonly written: readonly number[];
  private readonly device: GPUDevice;
  private readonly variants = new Map<string, Variant>();
  private plain: Variant | null = null;

  constructor(device: GPUDevice, label: string, shader: Shader) {
    this.device = device;
    this.label = label;
    this.shader = shader;
    this.written = shader.bindings.map((_, i) => i).filter((i) => shader.bindings[i].writable);
  }

  /** Puts the arguments in the order of their bindings. */
  arrange(bind: NamedBuffers): (GpuBuffer | null)[] {
    const { bindings } = this.shader;
    const buffers: (GpuBuffer | null)[] = [];
    for (const { name } of bindings) {
      const buffer = bind[name];
      if (buffer === undefined) throw new Error(`${this.label}: argument ${name} is missing`);
      buffers.push(buffer);
    }
    this.checkCount(bind, bindings, "argument");
    return buffers;
  }

  /** Writes the parameters, one word each, from word `at` on. */
  writeParams(values: NamedNumbers, { u32, i32, f32 }: Words, at: number): void {
    const { params } = this.shader;
    for (let i = 0; i < params.length; i++) {
      const { name, type } = params[i];
      const value = values[name];
      if (value === undefined) throw new Error(`${this.label}: parameter ${name} is missing`);
      if (type === "f32") f32[at + i] = value;
      else if (type === "i32") i32[at + i] = value;
      else u32[at + i] = value;
    }
    this.checkCount(values, params, "parameter");
  }

  /** The pipeline for launches in which argument i is the same buffer as argument `same[i]`; null: all differ. */
  variant(same: readonly number[] | null): Variant {
    if (!same) return (this.plain ??= this.compile());
    const key = same.join();
    let variant = this.variants.get(key);
    if (!variant) this.variants.set(key, (variant = this.compile(same)));
    return variant;
  }

  /** Throws if `given` has names that are not declared. The caller has checked that no declared one is missing. */
  private checkCount(given: object, declared: readonly { readonly name: string }[], what: string): void {
    let count = 0;
    for (const _ in given) count++;
    if (count === declared.length) return;
    const unknown = Object.keys(given).filter((name) => !declared.some((known) => known.name === name));
    throw new Error(`${this.label}: no ${what} is called ${unknown.join(", ")}; they are ${names(declared)}`);
  }

  private compile(same?: readonly number[]): Variant {
    const { device, label } = this;
    const { entry, bindings } = this.shader;
    const bound = bindings.map((_, i) => i).filter((i) => !same || same[i] === i);
    const layout = device.createBindGroupLayout({
      label,
      entries: [
        { binding: 0, visibility: COMPUTE, buffer: { type: "uniform", hasDynamicOffset: true } },
        ...bound.map((i) => ({
          binding: i + 1,
          visibility: COMPUTE,
          buffer: { type: bindings[i].writable ? ("storage" as const) : ("read-only-storage" as const) },
        })),
      ],
    });
    const pipeline = device.createComputePipeline({
      label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: {
        module: device.createShaderModule({ label, code: shaderCode(this.shader, same) }),
        entryPoint: entry,
      },
    });
    return { id: nextId++, pipeline, layout, bound };
  }
}

/** The same memory of parameters as arrays of each type. */
export interface Words {
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
}

const COMPUTE = 4; // GPUShaderStage.COMPUTE, a global in browsers only
let nextId = 1;

export interface Variant {
  readonly id: number;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /** Indices of the arguments that have their own binding. */
  readonly bound: readonly number[];
}

/** Kernels by their source: compiled when first launched, then kept. */
export class Pipelines {
  private readonly device: GPUDevice;
  private readonly subgroups: boolean;
  private readonly kernels = new Map<string, Kernel>();

  constructor(device: GPUDevice, subgroups: boolean) {
    this.device = device;
    this.subgroups = subgroups;
  }

  get(source: KernelSource): Kernel {
    const key = keyOf(source);
    let kernel = this.kernels.get(key);
    if (!kernel) this.kernels.set(key, (kernel = new Kernel(this.device, key, assemble(source, this.subgroups))));
    return kernel;
  }
}

/** A readable key of everything that determines a kernel: `spmm + spmm-entries T=vec4f LANES=16`. */
function keyOf({ shader, entry, with: parts, constants }: KernelSource): string {
  let key: string = shader;
  if (entry) key += `.${entry}`;
  if (parts) for (const part of parts) key += ` + ${part}`;
  if (constants) for (const name in constants) key += ` ${name}=${constants[name]}`;
  return key;
}

function names(declared: readonly { readonly name: string }[]): string {
  return declared.map(({ name }) => name).join(", ") || "none";
}
