import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".html": "text/html",
};

/**
 * Serves a folder to pages that share memory between threads: browsers allow that only where these two headers keep other
 * sites out. `/` is an empty page.
 */
export async function serveIsolated(folder: string): Promise<{ address: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const path = normalize(new URL(request.url!, "http://localhost").pathname);
    const file = join(folder, path);
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "text/html");
    if (path === "/") response.end("<!doctype html><title>rgnn</title>");
    else if (existsSync(file) && statSync(file).isFile()) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
