/** Limits that every WebGPU device has. */
const LIMITS = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupsPerDimension: 65_535,
  minUniformBufferOffsetAlignment: 256,
};

/** As much of WebGPU as finding an adapter takes: one with these limits besides the usual ones, or none. */
export function fakeGpu(limits: Partial<typeof LIMITS> | null): GPU {
  const adapter = limits && { limits: { ...LIMITS, ...limits }, features: new Set(), info: {} };
  return { requestAdapter: async () => adapter } as unknown as GPU;
}

/** A device on which nothing runs, and a way to have it report an error of a kind. */
export function fakeDevice(): { device: GPUDevice; report(kind: string, message: string): void } {
  let listener: (event: unknown) => void = () => {};
  const device = {
    limits: LIMITS,
    features: new Set(),
    lost: new Promise(() => {}),
    createBuffer: ({ size }: { size: number }) => ({ size, destroy() {} }),
    addEventListener: (_: string, listen: typeof listener) => void (listener = listen),
  };
  return {
    device: device as unknown as GPUDevice,
    report(kind, message) {
      const { [kind]: NamedError } = { [kind]: class extends Error {} };
      listener({ error: new NamedError!(message) });
    },
  };
}
