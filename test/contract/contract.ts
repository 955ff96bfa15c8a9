import { describe, expect, test } from "vitest";
import type { Backend, Buffer } from "../../src/backend/backend.ts";
import { createReference } from "../../src/backend/reference/reference.ts";
import { firstDifference } from "./compare.ts";
import { Side } from "./side.ts";

export interface SuiteOptions {
  /** Allowed relative difference of floats. Default 1e-5. */
  readonly tolerance?: number;
  /** Only the cases of these kernels. Default all. */
  readonly only?: readonly string[];
  /** What the backend cannot do: full names such as "topK > puts the lower index first on ties", with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

/** Result buffers by name; the name appears in the message when they differ. */
export type Results = Record<string, Buffer>;

/** How the cases of one kernel are declared. */
export interface Kernel {
  /** Runs the same work on the backend and on the reference and compares all results. */
  same(title: string, run: (side: Side) => Results | Promise<Results>, options?: { scale?: number }): void;
  /** Runs only on the backend; the body has its own expectations. */
  holds(title: string, run: (side: Side) => void | Promise<void>): void;
}

/** Turns cases into tests of one backend. */
export class Contract {
  private readonly names = new Set<string>();
  private readonly backend: () => Backend;
  private readonly options: SuiteOptions;

  constructor(backend: () => Backend, options: SuiteOptions) {
    this.backend = backend;
    this.options = options;
  }

  kernel(group: string, declare: (kernel: Kernel) => void): void {
    const { tolerance = 1e-5, only } = this.options;
    if (only && !only.includes(group)) return;
    describe(group, () => {
      declare({
        same: (title, run, { scale = 0 } = {}) =>
          this.declare(group, title, async () => {
            const actual = await resultsOf(this.backend(), run);
            const expected = await resultsOf(createReference(), run);
            expect(Object.keys(actual)).toEqual(Object.keys(expected));
            for (const name of Object.keys(expected)) {
              expect(firstDifference(actual[name], expected[name], tolerance, scale), name).toBeNull();
            }
          }),
        holds: (title, run) =>
          this.declare(group, title, async () => {
            const side = new Side(this.backend());
            await run(side);
            side.freeAll();
          }),
      });
    });
  }

  /** A test that is skipped by a name that does not exist would hide a typing mistake. */
  checkSkips(): void {
    test("skips only tests that exist", () => {
      expect((this.options.skip ?? []).map((skip) => skip.test).filter((name) => !this.names.has(name))).toEqual([]);
    });
  }

  private declare(group: string, title: string, body: () => Promise<void>): void {
    const name = `${group} > ${title}`;
    this.names.add(name);
    const skipped = this.options.skip?.find((skip) => skip.test === name);
    if (skipped) test.skip(`${title} (skipped: ${skipped.reason})`, body);
    else test(title, body);
  }
}

async function resultsOf(backend: Backend, run: (side: Side) => Results | Promise<Results>) {
  const side = new Side(backend);
  const values: Record<string, ArrayLike<number>> = {};
  for (const [name, buffer] of Object.entries(await run(side))) values[name] = await backend.read(buffer);
  side.freeAll();
  return values;
}
