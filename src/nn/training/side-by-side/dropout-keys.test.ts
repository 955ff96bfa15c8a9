import { expect, test, vi } from "vitest";
import { createReference } from "../../../backend/reference/reference.ts";
import { Rng } from "../../../core/rng.ts";
import { DropoutKeys } from "./dropout-keys.ts";

test.each([1, 3, 200])("new keys overwrite old ones only between passes, of %i layers", (layers) => {
  const backend = createReference();
  const write = vi.spyOn(backend, "write");
  const keys = new DropoutKeys(backend, [new Rng(0), new Rng(1)], layers);
  for (let pass = 0; pass < 150; pass++) {
    keys.draw();
    const before = write.mock.calls.length;
    for (let layer = 1; layer < layers; layer++) keys.draw();
    expect(write).toHaveBeenCalledTimes(before);
  }
  expect(write.mock.calls.length).toBeGreaterThan(1);
});
