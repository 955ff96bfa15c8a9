import { check } from "../core/errors.ts";

/** What an option must be. */
export interface Rule {
  /** Ends the sentence "… must be". */
  readonly text: string;
  accepts(value: unknown): boolean;
}

export function wholeNumber(min: number): Rule {
  return {
    text: `a whole number from ${min}`,
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= min,
  };
}

export function realNumber(min: number, max = Number.POSITIVE_INFINITY): Rule {
  return {
    text: max === Number.POSITIVE_INFINITY ? `a number from ${min}` : `a number in [${min}, ${max}]`,
    accepts: (value) => Number.isFinite(value) && (value as number) >= min && (value as number) <= max,
  };
}

export function oneOf(...names: readonly string[]): Rule {
  return { text: names.join(" or "), accepts: (value) => names.includes(value as string) };
}

export const lossFunction: Rule = {
  text: "a function of logits and labels, such as tanhMargin",
  accepts: (value) => typeof value === "function",
};

/**
 * Defaults with some values replaced. An option that is not known is an error that lists the known ones (rule R3), and
 * so is a value that is not what its rule says.
 */
export function resolveOptions<T extends object>(
  name: string,
  defaults: T,
  rules: { readonly [Option in keyof T]: Rule },
  options: Partial<T>,
): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    check(
      Object.hasOwn(defaults, option),
      () => `${name}: unknown option "${option}"; known are ${Object.keys(defaults).join(", ")}`,
    );
    const { text, accepts } = rules[option as keyof T];
    check(accepts(value), () => `${name}: ${option} must be ${text}, got ${String(value)}`);
  }
  return { ...defaults, ...Object.fromEntries(given) };
}
