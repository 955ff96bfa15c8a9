/** The oldest version that works, as under `engines` in package.json. */
const NEEDED = [22, 18] as const;

/** What is wrong with a version of Node, or null. */
export function complaintAbout(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return null;
  return `rgnn needs Node ${NEEDED.join(".")} or newer, this is ${version}; install a newer one`;
}
