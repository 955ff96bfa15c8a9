import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { cutAfter, fileServer, sendFile } from "../../../test/support/file-server.ts";
import { smallGraphs } from "../../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { UserError } from "../../core/errors.ts";
import { catalogue } from "../../data/catalogue/catalogue.ts";
import { loadGraph } from "../load.ts";
import { download } from "./download.ts";
import { getDataset } from "./get-dataset.ts";
import { unpack } from "./unpack.ts";

const content = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) % 251);
const sha256 = createHash("sha256").update(content).digest("hex");
const file = (...addresses: string[]) => ({ path: "a/file", addresses, bytes: content.length, sha256 });

describe("download", () => {
  test("fetches a file, makes its folder and tells how far it is", async () => {
    const { address } = await fileServer(sendFile(content));
    const path = join(temporaryFolder(), "new", "file");
    const seen: number[] = [];
    await download(file(address), path, { update: (done, total) => seen.push(done / total) });
    expect(new Uint8Array(readFileSync(path))).toEqual(content);
    expect(seen.at(-1)).toBe(1);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
  test("does not fetch a file that is there and whole", async () => {
    const { address, ranges } = await fileServer(sendFile(content));
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, content);
    await download(file(address), path);
    expect(ranges).toEqual([]);
  });
  test("continues after a cut connection where it stopped", async () => {
    const path = join(temporaryFolder(), "file");
    const broken = await fileServer(cutAfter(content, 30_000));
    await expect(download(file(broken.address), path)).rejects.toThrow(UserError);
    expect(existsSync(path)).toBe(false);
    const kept = readFileSync(`${path}.part`).length;
    expect(kept).toBeGreaterThan(0);
    const { address, ranges } = await fileServer(sendFile(content));
    await download(file(address), path);
    expect(ranges).toEqual([`bytes=${kept}-`]);
    expect(new Uint8Array(readFileSync(path))).toEqual(content);
  });
  test("starts over where the server cannot continue", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(`${path}.part`, content.subarray(0, 500));
    const { address } = await fileServer((_, response) => response.end(content));
    await download(file(address), path);
    expect(new Uint8Array(readFileSync(path))).toEqual(content);
  });
  test("refuses a wrong checksum, says both and leaves nothing", async () => {
    const path = join(temporaryFolder(), "file");
    const { address } = await fileServer(sendFile(content.map((byte) => byte ^ 1)));
    await expect(download(file(address), path)).rejects.toThrow(
      new RegExp(`sha256 \\w{64} arrived .* expected ${sha256}`),
    );
    expect([path, `${path}.part`].some((left) => existsSync(left))).toBe(false);
  });
  test("replaces a damaged part once its checksum shows it", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(`${path}.part`, new Uint8Array(500));
    const { address } = await fileServer(sendFile(content));
    await download(file(address, address), path);
    expect(new Uint8Array(readFileSync(path))).toEqual(content);
  });
  test("tries the next source when one has no such file", async () => {
    const path = join(temporaryFolder(), "file");
    const missing = await fileServer((_, response) => response.writeHead(404).end());
    const { address } = await fileServer(sendFile(content));
    await download(file(missing.address, address), path);
    expect(existsSync(path)).toBe(true);
  });
  test("says for every source why it failed, in one line", async () => {
    const missing = await fileServer((_, response) => response.writeHead(404).end());
    const path = join(temporaryFolder(), "file");
    const failure = download(file(missing.address, "http://127.0.0.1:1/file"), path).catch(
      (error: Error) => error.message,
    );
    const message = await failure;
    expect(message).toMatch(/a\/file could not be downloaded; .*answered 404; http:\/\/127.0.0.1:1\/file: .*by hand/);
    expect(message).not.toContain("\n");
  });
});

describe("getDataset", () => {
  test("downloads and unpacks an archive so that it loads", async () => {
    const archive = zipSync({ "small/": new Uint8Array(0), ...smallGraphs.ogb.pack(smallGraphs.ogb.parts) });
    const { address } = await fileServer(sendFile(archive));
    const folder = temporaryFolder();
    const entry = {
      ...catalogue["ogbn-arxiv"],
      places: ["ogb"],
      files: [{ path: "small.zip", addresses: [address] }],
    };
    const path = await getDataset("small", folder, undefined, entry);
    expect((await loadGraph(path!)).graph.numNodes).toBe(5);
    expect(existsSync(join(folder, "small.zip"))).toBe(false);
  });
  test("lists the known names for an unknown one", async () => {
    await expect(getDataset("nothing", temporaryFolder())).rejects.toThrow(
      /unknown dataset "nothing"; known are .*cora_ml/,
    );
  });
});

describe("unpack", () => {
  test.each(["../evil", "/evil", "a/../../evil", "C:\\evil"])("refuses a member named %s", async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.zip"), zipSync({ [name]: content }));
    await expect(unpack(join(folder, "a.zip"), join(folder, "in"))).rejects.toThrow("points outside the folder");
  });
  test("refuses damaged members and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    const zip = zipSync({ good: content, bad: content }, { level: 0 });
    zip[zip.length - 300] ^= 1;
    writeFileSync(join(folder, "a.zip"), zip);
    await expect(unpack(join(folder, "a.zip"), join(folder, "in"))).rejects.toThrow("bad: checksum does not match");
    expect(existsSync(join(folder, "in", "good"))).toBe(false);
  });
  test("unpacks deflated and empty members", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.zip"), zipSync({ "x/full": content, "x/empty": new Uint8Array(0) }));
    await unpack(join(folder, "a.zip"), folder);
    expect(new Uint8Array(readFileSync(join(folder, "x", "full")))).toEqual(content);
    expect(readFileSync(join(folder, "x", "empty")).length).toBe(0);
  });
});

test("every file of the catalogue has an address, and a checksum unless its publisher has none", () => {
  for (const { name, files } of Object.values(catalogue)) {
    for (const { addresses, sha256 } of files) {
      expect(addresses.every((address) => new URL(address).protocol === "https:")).toBe(true);
      expect(sha256?.length ?? (name.startsWith("ogbn-") ? 64 : 0)).toBe(64);
    }
  }
});
