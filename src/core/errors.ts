/**
 * A mistake in what the user gave us. The message is one line that names the place, the value and the way out; the
 * command line prints it without a stack trace and exits with code 2.
 */
export class UserError extends Error {
  override name = "UserError";
}

/** A file or a value in it is not what its format promises. */
export class DataError extends UserError {
  override name = "DataError";
}

/** Two shapes that must agree do not. */
export class ShapeError extends UserError {
  override name = "ShapeError";
}

/** A budget that no attack can meet. */
export class BudgetError extends UserError {
  override name = "BudgetError";
}

/** More memory is needed than there is; the message says how much of each. */
export class MemoryError extends UserError {
  override name = "MemoryError";
}

/** A device stopped working, for example because a GPU was reset. Not a user's mistake: one line, exit code 1. */
export class DeviceError extends Error {
  override name = "DeviceError";
}

/** Some of many pieces of work failed. The others are kept, and the failures were reported. One line, exit code 1. */
export class PartialFailure extends Error {
  override name = "PartialFailure";
}

/** Work was interrupted before it had any result. Not a mistake: one line, exit code 130, as after any Ctrl-C. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Throws a {@link UserError} unless `condition` holds. The message is a function, so that it is only built when needed. */
export function check(
  condition: boolean,
  message: () => string,
  kind: new (message: string) => UserError = UserError,
): asserts condition {
  if (!condition) throw new kind(message());
}

/** Looks up `name` in a table of known things; an unknown name is an error that lists the known ones (rule R3). */
export function lookup<T>(table: Readonly<Record<string, T>>, name: string, what: string): T {
  check(Object.hasOwn(table, name), () => `unknown ${what} "${name}"; known are ${Object.keys(table).join(", ")}`);
  return table[name];
}
