import { describe, expect, test } from "vitest";
import { type SmallGraphFiles, smallGraphs, writeSmallGraph } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { readGraph } from "../files/load.ts";
import { preprocess } from "./preprocess.ts";
import { readGraphFile, readGraphFiles } from "./read-graph-files.ts";
import { droppedFiles, filesInMemory } from "./readers/file-set.ts";

/** The files as a page gets them when a user drops them. */
function dropped({ pack, parts }: SmallGraphFiles): File[] {
  return Object.entries(pack(parts)).map(([path, bytes]) => new File([bytes as Uint8Array<ArrayBuffer>], path));
}

describe("readGraphFiles", () => {
  test.each(Object.entries(smallGraphs))("reads %s without a disk as it is read from one", async (_, small) => {
    const { where: _inMemory, ...read } = await readGraphFiles(await droppedFiles(dropped(small)));
    const { where: _onDisk, ...expected } = await readGraph(writeSmallGraph(small, temporaryFolder()));
    expect(read).toEqual(expected);
    expect(preprocess({ ...read, where: "here" }).graph.numEntries).toBe(10);
  });
  test("reads files that lie beside others by the name of one", async () => {
    const { pack, parts } = smallGraphs.csv;
    const named = Object.entries(pack(parts)).map(([path, bytes]) => [path.replace("csv/", ""), bytes] as const);
    const files = filesInMemory(Object.fromEntries([...named, ["other.npz", new Uint8Array(3)]]), "mixed");
    expect(await readGraphFile(files, "edges.csv")).toMatchObject({ name: "mixed", where: "edges.csv" });
    await expect(readGraphFile(files, "labels.csv")).rejects.toThrow(
      "labels.csv: holds labels; a graph as csv is a folder with",
    );
    await expect(readGraphFile(files, "other.npz")).rejects.toThrow(
      "other.npz: is not a zip archive, or it is cut off",
    );
  });
  test("names a file that is missing, and the ones that are there", async () => {
    const { "ind.small.tx": _, ...rest } = smallGraphs.planetoid.parts;
    await expect(readGraphFiles(filesInMemory(rest))).rejects.toThrow(
      "ind.small.tx: is not among the files ind.small.allx, ind.small.y,",
    );
  });
  test("says what it looked for where nothing was dropped", async () => {
    await expect(readGraphFiles(await droppedFiles([]))).rejects.toThrow("files: holds no graph; a folder may hold");
  });
});
