import { type Context, Hono } from "hono";
import { UserError } from "../../core/errors.ts";
import type { StudyWish } from "../../experiment/store/store.ts";
import type { Study } from "../../experiment/study/study.ts";
import { parseStudy } from "../../experiment/study/study-file.ts";
import { YamlError } from "../../experiment/study/yaml-value.ts";
import type { AddedStudy, StudyDetails } from "../protocol.ts";
import type { ServerParts } from "../server-parts.ts";
import { checkPaths } from "../studies/allowed-paths.ts";
import { limitBody } from "./limit-body.ts";
import { problem } from "./problem.ts";

/** Largest study file, in bytes. */
const LARGEST_TEXT = 1_000_000;

/** Most studies planned at the same time: each loads its graphs. */
const MOST_PLANNED = 2;

const WISHES: Readonly<Record<string, Exclude<StudyWish, null>>> = { start: "run", pause: "pause", cancel: "cancel" };

/** Lists, shows, adds, starts, pauses and cancels studies. */
export function studyRoutes(parts: ServerParts): Hono {
  const { queries, notes, feed, supervisor, summarise } = parts;
  const routes = new Hono();
  let planned = 0;

  routes.get("/", async (c) => {
    const all = (await queries.ask("studies")).map(summarise);
    return c.json(all.sort((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0) || a.name.localeCompare(b.name)));
  });

  routes.get("/:name", async (c) => {
    const study = await queries.ask("study", c.req.param("name"));
    if (!study) return noSuchStudy(c);
    const { record, values, failures } = study;
    return c.json({ ...summarise(record), text: record.text, values, failures } satisfies StudyDetails);
  });

  routes.post("/", limitBody(LARGEST_TEXT), async (c) => {
    if (!hasType(c, "application/yaml")) return problem(c, 415, "a study is posted as application/yaml");
    const text = await c.req.text();
    const { name } = readPosted(text, parts.folders);
    if (planned >= MOST_PLANNED) return problem(c, 429, "other studies are being planned; try again in a while");
    planned++;
    try {
      const last = await supervisor.add(text);
      if (last?.kind === "failed") {
        if (!last.isMistake) parts.log(`${name} could not be planned: ${last.error}`);
        return problem(c, last.isMistake ? 400 : 500, last.isMistake ? last.error : "the study could not be planned");
      }
      if (last?.kind !== "planned")
        return problem(c, 500, "the process that planned the study has ended without a word");
    } finally {
      planned--;
    }
    await feed.look();
    const [{ counts }] = await notes.ask("studies", [name]);
    return c.json({ name, counts } satisfies AddedStudy, 201);
  });

  routes.post("/:name/:wish", async (c) => {
    const { name, wish } = c.req.param();
    if (!Object.hasOwn(WISHES, wish)) return problem(c, 404, `unknown wish "${wish}"; known are start, pause, cancel`);
    if (!hasType(c, "application/json")) return problem(c, 415, "wishes are posted as application/json, with {}");
    const [before] = await notes.ask("studies", [name]);
    if (!before) return noSuchStudy(c);
    if (wish === "start" && before.text === null) {
      return problem(c, 409, `the store does not have the text of "${name}"; post it, or run it once with rgnn run`);
    }
    await notes.ask("wish", name, WISHES[wish]);
    await supervisor.follow();
    await feed.look();
    const [after] = await notes.ask("studies", [name]);
    return c.json(summarise(after));
  });
  return routes;
}

function noSuchStudy(c: Context): Response {
  return problem(c, 404, `there is no study "${c.req.param("name")}"`);
}

/** Whether the body has this type. A page of another site cannot send JSON or YAML without a CORS preflight. */
function hasType(c: Context, type: string): boolean {
  return c.req.header("content-type")?.split(";")[0].trim().toLowerCase() === type;
}

/** Reads a posted study. Any error counts as a mistake of the user. */
function readPosted(text: string, folders: readonly string[]): Study {
  let study: Study;
  try {
    study = parseStudy(text, "study");
  } catch (error) {
    if (error instanceof YamlError || error instanceof UserError) throw error;
    throw new UserError(`study: cannot be read (${(error as Error).message})`); // such as cyclic aliases
  }
  checkPaths(study, folders);
  return study;
}
