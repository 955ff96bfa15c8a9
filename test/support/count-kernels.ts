import type { Backend } from "../../src/backend/backend.ts";

/** A backend that counts the calls of each of its functions. */
export function countKernels(inner: Backend): { backend: Backend; calls(name: keyof Backend): number; reset(): void } {
  const counts = new Map<PropertyKey, number>();
  const backend = new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return member.apply(target, args);
      };
    },
  });
  return { backend, calls: (name) => counts.get(name) ?? 0, reset: () => counts.clear() };
}
