import { UserError } from "../../core/errors.ts";

const FULL = ["ENOSPC", "EDQUOT"];

/** Translates errors of the disk while a store is written for users; returns other errors unchanged. */
export function diskError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  const full = `${folder}: the disk is full; what is finished is kept: make room and run the same command again`;
  return new UserError(FULL.includes(code) ? full : `${folder}: cannot be written (${code}); choose another place`);
}
