import { check, UserError } from "../../../core/errors.ts";
import type { Precision } from "../precision.ts";

/** Options of {@link createWebGpu}. */
export interface WebGpuOptions {
  /** Use subgroup operations. Default: if the adapter offers them. Results with and without differ in the last bits. */
  readonly subgroups?: boolean;
  /**
   * Part of the name of the GPU to use in Node, if there are several; the environment variable `RGNN_GPU` does the same
   * for every command. Default: the one that WebGPU reports as most powerful. Browsers choose the GPU themselves.
   */
  readonly adapter?: string;
}

/** A device and its capabilities. @internal */
export interface Device {
  readonly device: GPUDevice;
  /** Name of the adapter. */
  readonly description: string;
  /** Fewest lanes that a subgroup of any kernel has; 1 where subgroups are not used. */
  readonly subgroupSize: number;
  /** Whether subgroups of 32 multiply matrices of 16 × 16 halves and add up in 32 bits. */
  readonly hasMatrixUnits: boolean;
}

/** Storage bindings that kernels need at least; every WebGPU device has eight. */
const STORAGE_BINDINGS = 8;
const WORKGROUP = 256;
/** Requested if the adapter has them: sums over neighbouring threads, and the device's own clock. */
const OPTIONAL = ["subgroups", "timestamp-query"] as const;
/** Features for products of small matrices by a subgroup; on NVIDIA these are tensor cores. */
const MATRIX_UNITS = ["shader-f16", "chromium-experimental-subgroup-matrix"] as const;

/**
 * An adapter of `gpu`, by default the machine's: from Node through the package `webgpu`, in a browser `navigator.gpu`.
 * @internal
 */
export async function openDevice(
  { subgroups = true, precision = "single", adapter: wanted }: WebGpuOptions & { readonly precision?: Precision },
  found?: GPU,
): Promise<Device> {
  const gpu = found ?? (await findGpu(precision, wanted));
  const adapter = await requestAdapter(gpu, wanted ?? nameFromEnvironment());
  check(adapter !== null, () => `createWebGpu: no adapter found; ${MISSING_ADAPTER}`);
  const { limits, info } = adapter;
  const bindings = limits.maxStorageBuffersPerShaderStage;
  const invocations = limits.maxComputeInvocationsPerWorkgroup;
  check(
    bindings >= STORAGE_BINDINGS && invocations >= WORKGROUP,
    () =>
      `createWebGpu: kernels need ${STORAGE_BINDINGS} storage buffers and ${WORKGROUP} invocations per workgroup, the ` +
      `adapter allows ${bindings} and ${invocations}; use --device cpu`,
  );
  const useSubgroups = subgroups && adapter.features.has("subgroups");
  const hasMatrixUnits = precision === "half" && useSubgroups && offersMatrixUnits(adapter);
  const device = await adapter.requestDevice({
    requiredLimits: allLimits(limits),
    requiredFeatures: [
      ...OPTIONAL.filter((name) => adapter.features.has(name) && (name !== "subgroups" || useSubgroups)),
      ...((hasMatrixUnits ? MATRIX_UNITS : []) as readonly GPUFeatureName[]),
    ],
  });
  owners.set(device, gpu);
  const description = [info.vendor, info.architecture, info.description].filter(Boolean).join(" ") || "unnamed adapter";
  return { device, description, subgroupSize: useSubgroups ? (info.subgroupMinSize ?? 4) : 1, hasMatrixUnits };
}

/** How an adapter describes its matrix units. */
interface MatrixUnits {
  readonly subgroupMatrixConfigs?: readonly {
    readonly componentType: string;
    readonly resultComponentType: string;
    readonly M: number;
    readonly N: number;
    readonly K: number;
  }[];
}

function offersMatrixUnits({ features, info }: GPUAdapter): boolean {
  if (!MATRIX_UNITS.every((name) => (features as ReadonlySet<string>).has(name))) return false;
  if (info.subgroupMinSize !== 32 || info.subgroupMaxSize !== 32) return false;
  const { subgroupMatrixConfigs = [] } = info as MatrixUnits;
  return subgroupMatrixConfigs.some(
    ({ componentType, resultComponentType, M, N, K }) =>
      componentType === "f16" && resultComponentType === "f32" && M === 16 && N === 16 && K === 16,
  );
}

/** Keeps the GPU object alive as long as its device: Node's binding destroys devices when it is garbage-collected. */
const owners = new WeakMap<GPUDevice, GPU>();

const MISSING_ADAPTER = "install a Vulkan, Metal or D3D12 driver, or use --device cpu";

/**
 * Checks of WebGPU that are switched off outside browsers. Kernels write workgroup memory before they read it: clearing
 * it first wastes time on a GPU, and makes SwiftShader compile for seconds. Kernels stay in range given sizes that were
 * checked: clamping every access costs a third of the speed of a matrix product.
 */
const UNCHECKED = ["disable_workgroup_init", "disable_robustness"];
/** Matrix units, and halves on NVIDIA, are experimental in Dawn: it offers them only with these flags. */
const EXPERIMENTS = ["allow_unsafe_apis", "vulkan_enable_f16_on_nvidia"];
/** Without this, Dawn rounds kernel times to a tenth of a millisecond, to protect browsers from timing attacks. */
const EXACT_CLOCK = "disable-dawn-features=timestamp_quantization";

async function findGpu(precision: Precision, adapter?: string): Promise<GPU> {
  if (typeof process === "undefined" || !process.versions?.node) {
    const { gpu } = navigator;
    check(gpu !== undefined, () => "createWebGpu: this browser has no WebGPU (navigator.gpu); use the CPU instead");
    check(adapter === undefined, () => "createWebGpu: a browser chooses the adapter itself; leave out adapter");
    return gpu;
  }
  const name = "webgpu"; // not a literal: bundlers for browsers must not look for it
  const { create } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch((cause: Error) => {
    throw new UserError(
      `createWebGpu: the optional package "webgpu" could not be loaded (${cause.message.split("\n")[0]}); ` +
        "add it with npm install webgpu",
    );
  });
  const features = precision === "half" ? [...UNCHECKED, ...EXPERIMENTS] : UNCHECKED;
  const flags = [`enable-dawn-features=${features.join()}`, EXACT_CLOCK];
  const wanted = adapter ?? nameFromEnvironment();
  return create(wanted ? [...flags, `adapter=${wanted}`] : flags) as GPU;
}

function nameFromEnvironment(): string | undefined {
  return typeof process === "undefined" ? undefined : process.env?.["RGNN_GPU"];
}

/** Dawn throws if no adapter has the requested name; its message lists the available ones. */
async function requestAdapter(gpu: GPU, wanted: string | undefined): Promise<GPUAdapter | null> {
  try {
    return await gpu.requestAdapter({ powerPreference: "high-performance" });
  } catch (error) {
    const names = Array.from((error as Error).message.matchAll(/name: '(.*)'/g), ([, name]) => `"${name}"`);
    check(names.length === 0, () => `createWebGpu: no GPU is called "${wanted}"; there are ${names.join(", ")}`);
    throw error;
  }
}

/** The adapter's own limits: WebGPU's defaults are those of a phone. */
function allLimits(limits: GPUSupportedLimits): Record<string, number> {
  const wanted = [
    "maxBufferSize",
    "maxStorageBufferBindingSize",
    "maxStorageBuffersPerShaderStage",
    "maxComputeWorkgroupStorageSize",
    "maxComputeInvocationsPerWorkgroup",
    "maxComputeWorkgroupSizeX",
    "maxComputeWorkgroupsPerDimension",
    "minStorageBufferOffsetAlignment",
    "minUniformBufferOffsetAlignment",
  ] as const;
  return Object.fromEntries(wanted.map((name) => [name, limits[name]]));
}
