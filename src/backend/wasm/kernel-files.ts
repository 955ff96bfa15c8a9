// Bundlers find the files by these `new URL` expressions, so each must be written out.
const strict = new URL("./kernels.wasm", import.meta.url);
const relaxed = new URL("./kernels-relaxed.wasm", import.meta.url);

/** Address of the compiled kernels. They are in dist/, even if the sources run directly. */
export function kernelFile(relaxedSimd: boolean): URL {
  const file = relaxedSimd ? relaxed : strict;
  const fromSources = import.meta.url.endsWith(".ts");
  return fromSources ? new URL(file.href.replace(/src(\/backend\/wasm\/[^/]+)$/, "dist$1")) : file;
}
