import { check } from "../core/errors.ts";

/** Those that were asked for, all of which there must be; all if nothing was said. */
export function chosenNames<T extends string | number>(
  name: string,
  what: string,
  all: readonly T[],
  asked = all,
): readonly T[] {
  const unknown = asked.find((item) => !all.includes(item));
  check(unknown === undefined, () => `${name} has no ${what} "${unknown}"; it has ${all.join(", ") || "none"}`);
  return asked;
}
