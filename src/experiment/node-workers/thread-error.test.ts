import { describe, expect, test } from "vitest";
import { BudgetError, UserError } from "../../core/errors.ts";
import { packError, unpackError } from "./thread-error.ts";

const sent = (error: unknown) => unpackError(structuredClone(packError(error)));

describe("an error from another thread", () => {
  test("is of the kind that was thrown, with its message and the place where it was thrown", () => {
    const thrown = new BudgetError("a budget of -1");
    const error = sent(thrown);
    expect(error).toBeInstanceOf(BudgetError);
    expect(error).toBeInstanceOf(UserError);
    expect([error.message, error.stack]).toEqual(["a budget of -1", thrown.stack]);
  });
  test("is an error whatever was thrown", () => {
    expect(sent(new TypeError("x is not a function"))).not.toBeInstanceOf(UserError);
    expect(sent("some text").message).toBe("some text");
  });
});
