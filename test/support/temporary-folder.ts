import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** An empty folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rgnn-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for the tests of a `describe`, which call it outside of any test. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rgnn-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
