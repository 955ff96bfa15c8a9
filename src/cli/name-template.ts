import { check } from "../core/errors.ts";

/** Values that the name of a file may stand for: of one run, or of all of them. */
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

/** Throws unless the runs of one command, which differ in these values, have files of their own. */
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
