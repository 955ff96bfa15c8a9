import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileSet } from "../data/readers/file-set.ts";
import { fileSource } from "./file-source.ts";

/** The files of a folder on this machine. */
export function folderFiles(folder: string): FileSet {
  return {
    name: folder,
    where: (path) => join(folder, path),
    has: (path) => existsSync(join(folder, path)),
    list: (path) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : []),
    open: (path) => fileSource(join(folder, path)),
  };
}
