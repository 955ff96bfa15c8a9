import { check, DataError } from "../../core/errors.ts";
import { allBytes, type ByteSource, bytesSource, readAndClose } from "../formats/byte-source.ts";
import { type CsvOptions, type NumberTable, readNumbers } from "../formats/csv-numbers.ts";

/** Files by name, wherever they are: in a folder on a disk, or dropped on a page. `/` separates folders. */
export interface FileSet {
  /** What error messages call the whole. */
  readonly name: string;
  /** What error messages call one of its files or folders. */
  where(path: string): string;
  has(path: string): boolean;
  /** Names of the files and folders inside a folder; the outermost folder is "". Empty if there is no such folder. */
  list(folder: string): readonly string[];
  open(path: string): ByteSource;
}

/** Files whose bytes are in memory, by name. */
export function filesInMemory(contents: Readonly<Record<string, Uint8Array>>, name = "files"): FileSet {
  const paths = Object.keys(contents);
  return {
    name,
    where: (path) => path,
    has: (path) => Object.hasOwn(contents, path),
    list(folder) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      return [...new Set(inside.map((path) => path.split("/")[0]))];
    },
    open(path) {
      check(this.has(path), () => `${path}: is not among the files ${paths.join(", ")}`, DataError);
      return bytesSource(contents[path], path);
    },
  };
}

/** What {@link droppedFiles} needs of a `File` of a browser. */
export interface DroppedFile {
  readonly name: string;
  /** Its path below the folder that was dropped; missing or empty for a single file. */
  readonly webkitRelativePath?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Files that were dropped on a page or chosen in its form; a folder that holds all of them is left out of their names.
 *
 * @example
 * const files = await droppedFiles(input.files); // input: <input type="file" multiple>
 * const { graph } = preprocess(await readGraphFiles(files));
 */
export async function droppedFiles(files: Iterable<DroppedFile>): Promise<FileSet> {
  const paths = [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  const folder = paths[0]?.path.split("/")[0] ?? "";
  const shared = paths.length > 0 && paths.every(({ path }) => path.startsWith(`${folder}/`));
  const contents: Record<string, Uint8Array> = {};
  for (const { file, path } of paths) {
    const name = shared ? path.slice(folder.length + 1) : path;
    contents[name] = new Uint8Array(await file.arrayBuffer());
  }
  return filesInMemory(contents, shared ? folder : "files");
}

/** The whole content of one file. */
export function readFileOf(files: FileSet, path: string): Uint8Array {
  return readAndClose(files.open(path), allBytes);
}

/** The numbers of one csv file. */
export async function readNumbersOf(files: FileSet, path: string, options: CsvOptions = {}): Promise<NumberTable> {
  const source = files.open(path);
  try {
    return await readNumbers(source, options);
  } finally {
    source.close();
  }
}
