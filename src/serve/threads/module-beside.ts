/** The address of a module in the folder of another one: TypeScript when run from the sources, JavaScript in the package. */
export function moduleBeside(url: string, name: string): URL {
  return new URL(`./${name}${url.endsWith(".ts") ? ".ts" : ".js"}`, url);
}
