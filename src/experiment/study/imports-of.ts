/** Paths that a source file imports, in any form of import, as they are written there. */
export function importsOf(source: string): string[] {
  const paths = withoutComments(source).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\s]+)["']/g);
  return Array.from(paths, ([, path]) => path);
}

/** The same without imports of types alone, which do not exist at run time. */
export function importsAtRunTime(source: string): string[] {
  return importsOf(source.replaceAll(/\b(?:import|export) type [^;]*;/g, ""));
}

/** Scripts that a bundler finds beside a source file: `new URL("./thread.js", import.meta.url)`. */
export function scriptsBeside(source: string): string[] {
  const paths = withoutComments(source).matchAll(/new URL\(\s*"(\.[^"]+)\.js",\s*import\.meta\.url/g);
  return Array.from(paths, ([, path]) => `${path}.ts`);
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}
