import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { ServerParts } from "../server-parts.ts";
import { problem } from "./problem.ts";

/** Event streams at the same time. */
const MOST_CLIENTS = 1000;

/** `GET /events` */
export function eventRoutes({ events, log }: ServerParts): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.get("/", (c) => {
    if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream" }); // else nobody would read the stream
    if (events.numClients >= MOST_CLIENTS) return problem(c, 503, `${MOST_CLIENTS} clients are listening; close some`);
    const lastId = c.req.header("last-event-id");
    const { outgoing } = c.env;
    c.header("X-Accel-Buffering", "no"); // proxies hand events on as they come
    return streamSSE(c, async (stream) => {
      try {
        await events.send(stream, lastId, () => outgoing.destroy());
      } catch (error) {
        log("GET /api/events: ended by an error", error);
        outgoing.destroy(); // the client comes back by itself
      }
    });
  });
  return routes;
}
