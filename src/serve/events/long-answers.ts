import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";

/**
 * Responses that stay open for hours, and the functions that write them. They bypass Hono's adapter, which keeps a
 * promise for every chunk until the response ends: event streams would slowly fill the memory.
 */
const begins = new WeakMap<ServerResponse, () => void>();

/** Calls `begin` once the headers of `response` are sent. The route itself returns the headers without a body. */
export function answerAtLength(response: ServerResponse, begin: () => void): void {
  begins.set(response, begin);
}

/** The request handler of the server: `app.fetch`, and {@link answerAtLength} for the routes that use it. */
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
