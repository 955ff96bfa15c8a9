import { isIP } from "node:net";
import { hostname } from "node:os";

/** Names by which a machine calls itself. */
const OWN_NAMES = ["localhost", "127.0.0.1", "::1"];

/** Whether a server that listens at `host` can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return OWN_NAMES.includes(host.toLowerCase());
}

/**
 * Whether to accept a request with this `Host` header; `host` is where the server listens. This stops DNS rebinding:
 * another site can let its own name point to this machine, and its pages would then count as ours. IP addresses cannot
 * be misused that way.
 */
export function isAllowedHost(header: string | undefined, host: string): boolean {
  const name = nameOf(header);
  if (name === null) return false;
  if (OWN_NAMES.includes(name)) return true;
  if (isLoopback(host)) return false;
  return isIP(name) !== 0 || name === host.toLowerCase() || name === hostname().toLowerCase();
}

/** The name in a `Host` header, without port and brackets; null if it is malformed. */
function nameOf(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}
