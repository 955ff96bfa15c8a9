import { check } from "../core/errors.ts";

/** Values of the placeholders in the name of a file: of one run, or lists of those of all runs. */
export type TemplateValues<T> = { readonly [name in "seed" | "epsilon"]?: T };

/** `gcn-{seed}.safetensors` with seed 3 as `gcn-3.safetensors`. */
export function fillIn(template: string, values: TemplateValues<number>): string {
  let name = template;
  for (const key of ["seed", "epsilon"] as const) {
    const value = values[key];
    if (value !== undefined) name = name.replaceAll(`{${key}}`, String(value));
  }
  return name;
}

/** Throws unless every run of a command gets a file of its own: several values need their placeholder in the name. */
export function checkTemplate(flag: string, template: string, values: TemplateValues<readonly number[]>): void {
  for (const [name, all] of Object.entries(values)) {
    check(
      all.length < 2 || template.includes(`{${name}}`),
      () =>
        `${flag} ${template}: must name a file per ${name}; put {${name}} into it, as in ${example(template, name)}`,
    );
  }
}

function example(template: string, name: string): string {
  const dot = template.lastIndexOf(".");
  const end = dot > template.lastIndexOf("/") ? dot : template.length;
  return `${template.slice(0, end)}-{${name}}${template.slice(end)}`;
}
