import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface FileServer {
  readonly address: string;
  /** `Range` header of each request, in order; undefined where there was none. */
  readonly ranges: (string | undefined)[];
}

/** A server on this machine that answers every request by `answer`, until the test ends. */
export async function fileServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FileServer> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`, ranges };
}

/** Answers as a file server does: the whole file, or the part that was asked for. */
export function sendFile(content: Uint8Array): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const part = content.subarray(start);
    const range = { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` };
    response.writeHead(start ? 206 : 200, { "content-length": part.length, ...(start && range) });
    response.end(part);
  };
}

/** Announces the whole file, sends `bytes` of it and cuts the connection. */
export function cutAfter(
  content: Uint8Array,
  bytes: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, bytes), () => setTimeout(() => response.destroy(), 200));
  };
}
