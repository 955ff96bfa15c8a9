import { check } from "../core/errors.ts";

/** Defaults with some values replaced. An option that is not known is an error that lists the known ones (rule R3). */
export function resolveOptions<T extends object>(name: string, defaults: T, options: Partial<T>): T {
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(defaults, key));
  check(
    unknown === undefined,
    () => `${name}: unknown option "${unknown}"; known are ${Object.keys(defaults).join(", ")}`,
  );
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
