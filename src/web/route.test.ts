import { describe, expect, test } from "vitest";
import { hashOf, parseRoute, type Route } from "./route.ts";

describe("addresses of views", () => {
  const routes: Route[] = [
    { view: "attack", selected: null },
    { view: "attack", selected: 17 },
    { view: "node", node: null },
    { view: "node", node: 42 },
    { view: "graph" },
    { view: "studies", study: null },
    { view: "studies", study: "a study/with ?signs" },
  ];
  test.each(routes)("lead back to %j", (route) => {
    expect(parseRoute(hashOf(route))).toEqual(route);
  });
  test("that nobody knows lead to the first view", () => {
    for (const hash of ["", "#", "#/nowhere", "#/attack?selected=x", "#/attack?selected=-1"]) {
      expect(parseRoute(hash)).toEqual({ view: "attack", selected: null });
    }
  });
});
