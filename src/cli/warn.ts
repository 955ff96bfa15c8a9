/** Prints a warning on stderr; the command goes on. */
export function warn(line: string): void {
  console.error(`rgnn: ${line}`);
}
