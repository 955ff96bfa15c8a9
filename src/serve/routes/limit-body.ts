import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { problem } from "./problem.ts";

/**
 * Refuses bodies of more than `maxSize` bytes and closes the connection: the rest of the body would be taken for the
 * next request.
 */
export function limitBody(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: (c) => {
      c.header("connection", "close");
      return problem(c, 413, `at most ${maxSize} bytes can be sent`);
    },
  });
}
