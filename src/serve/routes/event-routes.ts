import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { answerAtLength } from "../events/long-answers.ts";
import type { ServerParts } from "../server-parts.ts";
import { problem } from "./problem.ts";

/** Most event streams at the same time. */
const MOST_CLIENTS = 1000;

/** `GET /events` */
export function eventRoutes({ events, log }: ServerParts): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.get("/", async (c) => {
    if (events.numClients >= MOST_CLIENTS) return problem(c, 503, `${MOST_CLIENTS} clients are listening; close some`);
    const lastId = c.req.header("last-event-id");
    const outgoing = c.env.outgoing as ServerResponse;
    if (c.req.method === "GET") {
      const start = await events.startOf(lastId); // before the headers are sent: a connected client misses no change
      answerAtLength(outgoing, () => {
        events.send(outgoing, start).catch((error) => {
          log("GET /api/events: ended by an error", error);
          outgoing.destroy(); // the client reconnects by itself
        });
      });
    }
    return c.body(null, 200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no", // proxies must not buffer events
    });
  });
  return routes;
}
