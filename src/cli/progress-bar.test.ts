import { describe, expect, test } from "vitest";
import { formatSeconds, ProgressBar } from "./progress-bar.ts";

/** A bar on a stream that keeps what it is sent, with a clock that the test sets. */
function watchedBar(isTTY: boolean) {
  const written: string[] = [];
  const clock = { now: 0 };
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return { bar: new ProgressBar(stream, () => clock.now), written, clock };
}

describe("ProgressBar", () => {
  test("redraws one line on a terminal and ends it", () => {
    const { bar, written, clock } = watchedBar(true);
    clock.now = 5_000;
    bar.update(1, 4, "file");
    bar.finish();
    expect(written).toEqual([`\r\x1b[K[${"#".repeat(6)}${".".repeat(18)}] 25%, 15 s left  file`, "\n"]);
  });
  test("redraws at most ten times a second, but always the end", () => {
    const { bar, written, clock } = watchedBar(true);
    for (clock.now = 0; clock.now < 1000; clock.now++) bar.update(clock.now, 1000);
    bar.update(1000, 1000);
    expect(written.length).toBe(11);
    expect(written.at(-1)).toContain("100%");
  });
  test("never draws a line longer than the terminal", () => {
    const { bar, written } = watchedBar(true);
    bar.update(1, 2, "x".repeat(200));
    expect(written[0].length).toBeLessThanOrEqual("\r\x1b[K".length + 59);
  });
  test("prints a line per tenth where there is no terminal", () => {
    const { bar, written } = watchedBar(false);
    for (let done = 0; done <= 1000; done++) bar.update(done, 1000, `loss ${done}`);
    bar.finish();
    expect(written.length).toBe(11);
    expect(written.at(-1)).toBe("100%  loss 1000\n");
  });
  test("tells the time left of the next piece of work by that piece alone", () => {
    const { bar, written, clock } = watchedBar(false);
    clock.now = 60_000;
    bar.update(1, 1, "train");
    bar.update(0, 4, "attack");
    clock.now = 62_000;
    bar.update(1, 4, "attack");
    expect(written.at(-1)).toBe("25%, 6 s left  attack\n");
  });
  test("tells the time left of work that goes on by what follows", () => {
    const { bar, written, clock } = watchedBar(false);
    clock.now = 60_000;
    bar.goOn(2, 4);
    bar.update(2, 4, "votes");
    clock.now = 62_000;
    bar.update(3, 4, "votes");
    expect(written).toEqual(["50%  votes\n", "75%, 2 s left  votes\n"]);
  });
  test("writes nothing when nothing happened", () => {
    const { bar, written } = watchedBar(true);
    bar.finish();
    expect(written).toEqual([]);
  });
});

test("formatSeconds reads as a clock from a minute on", () => {
  expect([0.2, 59, 75, 3725].map(formatSeconds)).toEqual(["1 s", "59 s", "1:15", "1:02:05"]);
});
