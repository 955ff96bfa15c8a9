import type { Json } from "../../core/options/index.ts";
import { canonicalJson } from "../../experiment/study/canonical-json.ts";

/** Something with a name and options, such as a model with its hyperparameters. */
export interface Named {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
}

/**
 * Short labels that tell the things of a group apart: the name, and those options in which things with this name differ
 * within some group. With a group per graph, a model that was tuned for each graph has one label on all of them. The
 * returned function gives the label of any thing in `groups`.
 */
export function labelsOf(groups: readonly (readonly Named[])[]): (thing: Named) => string {
  const telling = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const [name, things] of Map.groupBy(group, (thing) => thing.name)) {
      const options = telling.get(name) ?? new Set();
      for (const option of differingOptions(things)) options.add(option);
      telling.set(name, options);
    }
  }
  return ({ name, options }) => {
    const shown = [...(telling.get(name) ?? [])].filter((option) => options[option] !== undefined);
    return [name, ...shown.map((option) => `${option}=${optionText(options[option])}`)].join(" ");
  };
}

function differingOptions(things: readonly Named[]): string[] {
  const names = new Set(things.flatMap(({ options }) => Object.keys(options)));
  return [...names].filter((name) => {
    const values = new Set(things.map(({ options }) => canonicalJson(options[name] ?? null)));
    return values.size > 1;
  });
}

/** The value of an option as text for people. */
export function optionText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
