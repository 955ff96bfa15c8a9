/** Labels as classes 0, 1, … without gaps, and what the input calls these classes. */
export interface ClassLabels {
  readonly labels: Int32Array;
  readonly classes: readonly string[];
}

/** Numbers the labels of an input without gaps, in ascending order; −1, unknown, stays. */
export function renumberLabels(labels: Int32Array): ClassLabels {
  const used = Int32Array.from(new Set(labels))
    .filter((label) => label >= 0)
    .sort();
  const classes = Array.from(used, String);
  if (used.every((label, k) => label === k)) return { labels, classes };
  const numbers = new Map<number, number>();
  for (const [k, label] of used.entries()) numbers.set(label, k);
  return { labels: labels.map((label) => numbers.get(label) ?? label), classes };
}

/** Classes of labels that are text; empty text is unknown. */
export function classesOfTexts(texts: readonly string[]): ClassLabels {
  const classes = [...new Set(texts)].filter((text) => text !== "").sort();
  const numbers = new Map(classes.map((text, k) => [text, k]));
  return { labels: Int32Array.from(texts, (text) => numbers.get(text) ?? -1), classes };
}
