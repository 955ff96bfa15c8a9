import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Problem } from "../protocol.ts";

/** An error response, with a `Problem` as its body. */
export function problem(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  where: Pick<Problem, "line" | "key"> = {},
): Response {
  return c.json({ error, ...where } satisfies Problem, status);
}
