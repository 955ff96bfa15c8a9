import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { catalogue } from "../../src/data/catalogue/catalogue.ts";
import { locateDataset } from "../../src/files/datasets/get-dataset.ts";

type RealTest = (title: string, body: () => unknown) => void;

/**
 * `test` for what needs a real graph: a name of the catalogue, or a path inside `$RGNN_DATA`. Where it is not on this
 * machine, the test is reported as skipped and says why.
 */
export function realData(nameOrPlace: string): RealTest {
  const here = Object.hasOwn(catalogue, nameOrPlace)
    ? locateDataset(nameOrPlace) !== undefined
    : existsSync(realPath(nameOrPlace));
  if (here) return (title, body) => test(title, body as () => void);
  return (title, body) =>
    test.skip(`${title} (skipped: no ${nameOrPlace} on this machine, set RGNN_DATA)`, body as () => void);
}

/** A path inside `$RGNN_DATA`. */
export function realPath(place: string): string {
  return join(process.env["RGNN_DATA"] ?? "", place);
}
