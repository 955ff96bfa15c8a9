import { describe, expect, test } from "vitest";
import { WorkQueue } from "./work-queue.ts";

describe("WorkQueue", () => {
  test("gives each place to one of those who share it, then none", () => {
    const here = new WorkQueue(3);
    const there = new WorkQueue(3, here.shared);
    expect([here.take(), there.take(), here.take(), there.take(), here.take()]).toEqual([0, 1, 2, null, null]);
  });
  test("hands out nothing more once it is closed", () => {
    const here = new WorkQueue(3);
    const there = new WorkQueue(3, here.shared);
    expect(here.take()).toBe(0);
    there.close();
    expect([here.take(), there.take()]).toEqual([null, null]);
    expect(here.aborted).toBe(false);
  });
  test("tells everybody to stop", () => {
    const here = new WorkQueue(3);
    const there = new WorkQueue(3, here.shared);
    expect(there.aborted).toBe(false);
    here.stop();
    expect(there.aborted).toBe(true);
  });
});
