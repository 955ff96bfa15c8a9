import { Hono } from "hono";
import type { Comparison, Results, Workers } from "../protocol.ts";
import type { ServerParts } from "../server-parts.ts";
import { problem } from "./problem.ts";
import { columnsOf, filterOf, numberOf, sortOf, textOf } from "./query.ts";

/** Runs, results and workers: what a store holds. */
export function runRoutes({ queries, supervisor }: ServerParts): Hono {
  const routes = new Hono();
  routes.get("/runs", async (c) => {
    const filter = filterOf(c, ["sort", "limit", "after"]);
    const limit = numberOf(c, "limit", { otherwise: 100, most: 1000 });
    const after = numberOf(c, "after", { otherwise: 0, most: 2 ** 31 - 1 });
    return c.json(await queries.ask("runs", { filter, sort: sortOf(c), limit, after }));
  });
  routes.get("/runs/:id", async (c) => {
    const id = c.req.param("id");
    const run = await queries.ask("run", id);
    return run ? c.json(run) : problem(c, 404, `there is no run "${id}"`);
  });
  routes.get("/values", async (c) => c.json(await queries.ask("values", filterOf(c))));
  routes.get("/results", async (c) => {
    const filter = filterOf(c, ["by", "limit"]);
    const limit = numberOf(c, "limit", { otherwise: 1000, most: 10_000 });
    return c.json((await queries.ask("results", filter, columnsOf(c), limit)) satisfies Results);
  });
  routes.get("/compare", async (c) => {
    const filter = filterOf(c, ["first", "second"]);
    const models = [textOf(c, "first"), textOf(c, "second")] as const;
    return c.json((await queries.ask("compare", filter, models)) satisfies Comparison);
  });
  routes.get("/workers", async (c) => {
    const owners = await queries.ask("owners");
    return c.json({ owners, progress: supervisor.progress.list() } satisfies Workers);
  });
  return routes;
}
