// A plugin of TypeDoc: adds to a type such as `PrbcdOptions` a table of the options, made from their descriptions.
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Comment, Converter, ReflectionKind } from "typedoc";

const root = process.cwd(); // this file runs from a copy beside TypeDoc, so that it can import TypeDoc

export async function load(app) {
  const descriptions = await describedOptions();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      const described = alias.type?.typeArguments?.[0]?.queryType?.name;
      const description = alias.type?.name === "OptionsOf" ? descriptions.get(described) : undefined;
      if (!description) continue;
      alias.comment ??= new Comment();
      alias.comment.summary.push({ kind: "text", text: `\n\n${table(description)}` });
    }
  });
}

/** Every description of options that a source file exports, by name. */
async function describedOptions() {
  const files = globSync("src/{attack,defense,nn}/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const found = new Map();
  for (const file of files) {
    const exports = await import(pathToFileURL(join(root, file)).href);
    for (const [name, value] of Object.entries(exports)) if (name.endsWith("Options")) found.set(name, value);
  }
  return found;
}

function table(description) {
  const rows = Object.entries(description).map(([name, option]) => {
    const preset = JSON.stringify(option.toJson(option.default));
    return `| \`${name}\` | ${option.must} | \`${preset}\` | ${option.help} |`;
  });
  return ["| option | value | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
