import { assemble, type KernelSource, type Shader, withAliases } from "./shader.ts";

/** A kernel that can be launched. */
export class Kernel {
  readonly shader: Shader;
  readonly label: string;
  private readonly device: GPUDevice;
  private readonly variants = new Map<string, Variant>();

  constructor(device: GPUDevice, label: string, shader: Shader) {
    this.device = device;
    this.label = label;
    this.shader = shader;
  }

  /** The pipeline for a launch in which argument i is the same as argument `same[i]`. */
  variant(same: readonly number[]): Variant {
    const key = same.join();
    let variant = this.variants.get(key);
    if (!variant) this.variants.set(key, (variant = this.compile(same)));
    return variant;
  }

  private compile(same: readonly number[]): Variant {
    const { device, label } = this;
    const { code, entry, bindings } = withAliases(this.shader, same);
    const bound = bindings.map((_, i) => i).filter((i) => same[i] === i);
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
      compute: { module: device.createShaderModule({ label, code }), entryPoint: entry },
    });
    return { id: nextId++, pipeline, layout, bound };
  }
}

const COMPUTE = 4; // GPUShaderStage.COMPUTE, a global in browsers only
let nextId = 1;

export interface Variant {
  readonly id: number;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /** Arguments that have a binding of their own. */
  readonly bound: readonly number[];
}

/** Kernels by what they are made of: compiled when first launched, then kept. */
export class Pipelines {
  private readonly device: GPUDevice;
  private readonly subgroups: boolean;
  private readonly kernels = new Map<string, Kernel>();

  constructor(device: GPUDevice, subgroups: boolean) {
    this.device = device;
    this.subgroups = subgroups;
  }

  get(key: string, source: () => KernelSource): Kernel {
    let kernel = this.kernels.get(key);
    if (!kernel) this.kernels.set(key, (kernel = new Kernel(this.device, key, assemble(source(), this.subgroups))));
    return kernel;
  }
}
