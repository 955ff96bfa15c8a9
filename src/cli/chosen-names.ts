import { check } from "../core/errors.ts";

/** The names that were asked for; all if none was. An unknown name is an error. */
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
