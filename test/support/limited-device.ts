import type { Device } from "../../src/backend/webgpu/device/device.ts";

/** The device as if it could do no more than these limits. */
export function limitedDevice(opened: Device, limits: Partial<Record<keyof GPUSupportedLimits, number>>): Device {
  const known = opened.device.limits;
  const lower = new Proxy(known, {
    get: (_, name) => limits[name as keyof GPUSupportedLimits] ?? Reflect.get(known, name, known),
  });
  const device = new Proxy(opened.device, {
    get(target, name) {
      if (name === "limits") return lower;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...opened, device };
}
