import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";

/**
 * Answers that go on for hours and are written by us: the adapter of the router keeps a promise for every piece until an answer ends, so
 * that streams of events would fill the memory slowly.
 */
const begins = new WeakMap<ServerResponse, () => void>();

/** Calls `begin` when the head of an answer is sent. The route answers with that head alone. */
export function answerAtLength(response: ServerResponse, begin: () => void): void {
  begins.set(response, begin);
}

/** What a server calls for each request. */
export function fetchOf(app: Hono<{ Bindings: HttpBindings }>) {
  return async (request: Request, env: HttpBindings | Http2Bindings): Promise<Response> => {
    const answer = await app.fetch(request, env);
    const outgoing = env.outgoing as ServerResponse; // the server speaks HTTP/1.1
    const begin = begins.get(outgoing);
    if (!begin) return answer;
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.flushHeaders();
    begin();
    return RESPONSE_ALREADY_SENT;
  };
}
