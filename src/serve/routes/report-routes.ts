import { Hono } from "hono";
import { check } from "../../core/errors.ts";
import type { ServerParts } from "../server-parts.ts";
import { problem } from "./problem.ts";

/** `GET /report?study=` */
export function reportRoutes({ report, queries }: ServerParts): Hono {
  const routes = new Hono();
  routes.get("/", async (c) => {
    if (!report) return problem(c, 404, "this server makes no reports");
    const unknown = Object.keys(c.req.queries()).find((name) => name !== "study");
    check(unknown === undefined, () => `unknown option "${unknown}"; known is study`);
    const study = c.req.query("study");
    if (study !== undefined && (await queries.ask("studies", [study])).length === 0) {
      return problem(c, 404, `there is no study "${study}"`);
    }
    return c.html(await report(study), 200, { "cache-control": "no-store" });
  });
  return routes;
}
