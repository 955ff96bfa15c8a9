import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const archive = join(root, "node_modules/@sparticuz/chromium/bin/swiftshader.tar.br");
const folder = join(root, "node_modules/.cache/swiftshader");

/**
 * Environment variables with which Dawn finds SwiftShader, a Vulkan device in software, so that the WebGPU backend is
 * tested without a GPU; or the reason why there is none. The dynamic linker reads them when a process starts.
 */
export function swiftShader(): { env: Record<string, string> } | { reason: string } {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { reason: `the packaged SwiftShader is for linux-x64, this is ${process.platform}-${process.arch}` };
  }
  if (!existsSync(archive)) return { reason: "the package @sparticuz/chromium is not installed" };
  if (!existsSync(folder)) unpack();
  const before = process.env["LD_LIBRARY_PATH"];
  return {
    env: {
      LD_LIBRARY_PATH: before ? `${folder}:${before}` : folder,
      VK_ICD_FILENAMES: join(folder, "icd.json"),
      VK_DRIVER_FILES: join(folder, "icd.json"),
    },
  };
}

/** Unpacks beside and renames, so that a folder that is there is complete. */
function unpack(): void {
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  for (const [name, data] of tarFiles(brotliDecompressSync(readFileSync(archive))))
    writeFileSync(join(fresh, name), data);
  const ICD = { library_path: join(folder, "libvk_swiftshader.so"), api_version: "1.0.5" };
  writeFileSync(join(fresh, "icd.json"), JSON.stringify({ file_format_version: "1.0.0", ICD }));
  if (existsSync(folder)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, folder);
}

/** Names and contents of the plain files of a tar archive: headers of 512 bytes, contents padded to that. */
function* tarFiles(tar: Buffer): Generator<[string, Buffer]> {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const text = (begin: number, end: number) => tar.toString("latin1", at + begin, at + end).split("\0")[0];
    const size = Number.parseInt(text(124, 136), 8);
    if (text(156, 157) === "0") yield [text(0, 100), tar.subarray(at + 512, at + 512 + size)];
    at += 512 + 512 * Math.ceil(size / 512);
  }
}
