/** A line on stderr that a user should read, though the command goes on. */
export function warn(line: string): void {
  console.error(`rgnn: ${line}`);
}
