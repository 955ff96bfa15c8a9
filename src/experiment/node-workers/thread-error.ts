import {
  BudgetError,
  DataError,
  DeviceError,
  Interrupted,
  MemoryError,
  ShapeError,
  UserError,
} from "../../core/errors.ts";

/** An error in a form that can be sent to another thread: an `Error` itself would lose its class. */
export interface ThreadError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export function packError(error: unknown): ThreadError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack };
}

const kinds = { UserError, DataError, ShapeError, BudgetError, MemoryError, DeviceError, Interrupted };

/** Restores an error with its class, so that a `UserError` stays one. */
export function unpackError({ name, message, stack }: ThreadError): Error {
  const Kind = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : Error;
  const error = new Kind(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
