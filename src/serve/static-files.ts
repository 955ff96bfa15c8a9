import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";
import { isInside } from "./studies/allowed-paths.ts";

/** Built files have a hash of their content in their names, so browsers may keep them for ever. */
const HASHED = /^\/assets\/.*-[\w-]{8,}\.\w+$/;

/** The files that a folder had when the server started. Only these are served, so no path leads out of the folder. */
export class StaticFiles {
  /** Files on disk, by the path in the address. */
  private readonly files: ReadonlyMap<string, string>;

  constructor(folder: string) {
    this.files = existsSync(folder) ? listFiles(realpathSync(folder)) : new Map();
  }

  /** Whether there is a page at all. */
  get hasPage(): boolean {
    return this.files.has("/index.html");
  }

  /** The file at a path; the page if there is none and the path has no extension, as those of views; else null. */
  async serve(c: Context): Promise<Response | null> {
    const path = decoded(c.req.path);
    const isView = path !== null && !/\.[^/]*$/.test(path);
    const name = isView && !this.files.has(path) ? "/index.html" : path;
    const file = name === null ? undefined : this.files.get(name);
    if (name === null || file === undefined) return null;
    const content = await readFile(file);
    const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
    const cache = HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache";
    const headers = { etag, "cache-control": cache, "content-type": typeOf(name) };
    const isKnown = c.req
      .header("if-none-match")
      ?.split(/\s*,\s*/)
      .includes(etag);
    return isKnown ? c.body(null, 304, headers) : c.body(content, 200, headers);
  }
}

function listFiles(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const file = realFile(path);
    if (file === null || !isInside(file, folder)) continue; // links that lead out are not followed
    files.set(`/${relative(folder, path).split(sep).join("/")}`, file);
  }
  return files;
}

/** Where a file really is; null for folders and for links to nothing. */
function realFile(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? realpathSync(path) : null;
}

/** The path with its escapes resolved; null if one is invalid. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function typeOf(name: string): string {
  return getMimeType(name) ?? "application/octet-stream";
}
