import { check } from "../../core/errors.ts";

/** Throws unless `value` is one of the texts that the hyperparameter `key` of a model can be (rule R3). */
export function checkOneOf(model: string, key: string, value: unknown, known: readonly string[]): void {
  check(known.includes(value as string), () => `${model}: ${key} must be ${known.join(" or ")}, got ${String(value)}`);
}

export function checkWholeNumber(model: string, key: string, value: unknown, min: number): void {
  check(
    Number.isSafeInteger(value) && (value as number) >= min,
    () => `${model}: ${key} must be a whole number from ${min}, got ${String(value)}`,
  );
}

/** What every stack of layers has: widths of its hidden layers, and a rate of dropout between them. */
export function checkLayers(model: string, { hidden, dropout }: { hidden: readonly number[]; dropout: number }): void {
  for (const width of hidden) checkWholeNumber(model, "hidden", width, 1);
  check(dropout >= 0 && dropout < 1, () => `${model}: dropout must be in [0, 1), got ${dropout}`);
}
