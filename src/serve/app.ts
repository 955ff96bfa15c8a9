import { readFileSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { methodNotAllowed } from "hono/method-not-allowed";
import { UserError } from "../core/errors.ts";
import { CELL_COLUMNS } from "../experiment/store/store.ts";
import { YamlError } from "../experiment/study/yaml-value.ts";
import { type GuardOptions, guard } from "./guard/guard.ts";
import { reportPolicy, securityHeaders } from "./guard/security-headers.ts";
import type { ServerFacts } from "./protocol.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { labRoutes } from "./routes/lab-routes.ts";
import { problem } from "./routes/problem.ts";
import { reportRoutes } from "./routes/report-routes.ts";
import { runRoutes } from "./routes/run-routes.ts";
import { studyRoutes } from "./routes/study-routes.ts";
import type { ServerParts } from "./server-parts.ts";

/** The routes and middleware of the server. */
export function makeApp(parts: ServerParts, who: GuardOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    await next();
    const { status } = c.res;
    const isTold = c.error !== undefined; // onError has logged it
    if (status >= 500 && !isTold) parts.log(`${status} ${c.req.method} ${c.req.path}`);
  });
  app.use("/api/report", reportPolicy());
  app.use(securityHeaders());
  app.use(guard(who));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        c.header("allow", methods.join(", "));
        return problem(c, 405, `${c.req.method} is not for this address; it takes ${methods.join(", ")}`);
      },
    }),
  );
  app.use("/api/*", async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });

  app.get("/api/server", (c) => c.json(factsOf(parts)));
  app.route("/api/studies", studyRoutes(parts));
  app.route("/api/events", eventRoutes(parts));
  app.route("/api/lab", labRoutes(parts));
  app.route("/api/report", reportRoutes(parts));
  app.route("/api", runRoutes(parts));
  app.get("/*", (c) => page(c, parts));

  app.notFound((c) => problem(c, 404, `there is nothing at ${c.req.path}`));
  app.onError((error, c) => {
    if (error instanceof YamlError) return problem(c, 400, error.message, { line: error.line, key: error.key });
    if (error instanceof UserError) return problem(c, 400, error.message);
    if (error instanceof HTTPException && error.status < 500) return problem(c, error.status, error.message);
    if (c.req.raw.signal.aborted) return problem(c, 400, "the request was not sent to its end");
    parts.log(`500 ${c.req.method} ${c.req.path}`, error);
    return problem(c, 500, "something went wrong; the log of the server says what");
  });
  return app;
}

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

function factsOf({ storeName, lab, report, uploadLimit }: ServerParts): ServerFacts {
  return {
    version,
    store: storeName,
    hasLab: lab !== null,
    hasReport: report !== null,
    uploadLimit,
    columns: CELL_COLUMNS,
  };
}

/** A file of the front end; where it was not built, a text that says how to build it. */
async function page(c: Context, { files }: ServerParts): Promise<Response> {
  if (c.req.path.startsWith("/api/") || c.req.path === "/api") return c.notFound();
  const answer = await files.serve(c);
  if (answer) return answer;
  if (files.hasPage) return c.notFound();
  return c.text(
    "The pages of the dashboard are not built: run npm run build, then rgnn serve again.\nThe API works: /api/studies\n",
    404,
  );
}
