import { describe, expect, test } from "vitest";
import { Lagged } from "./lagged.ts";

describe("Lagged", () => {
  test("returns each result one step late, and the last one at the end", async () => {
    const lagged = new Lagged<number>();
    expect(await lagged.next(Promise.resolve(1))).toBeNull();
    expect(await lagged.next(Promise.resolve(2))).toBe(1);
    expect(await lagged.last()).toBe(2);
    expect(await lagged.last()).toBeNull();
  });

  test("does not wait for the step it takes over", async () => {
    const lagged = new Lagged<number>();
    const never = new Promise<number>(() => {});
    await lagged.next(Promise.resolve(1));
    expect(await lagged.next(never)).toBe(1);
  });

  test("fails where the failed step is waited for", async () => {
    const lagged = new Lagged<number>();
    expect(await lagged.next(Promise.reject(new Error("lost")))).toBeNull();
    await expect(lagged.next(Promise.resolve(2))).rejects.toThrow("lost");
  });
});
