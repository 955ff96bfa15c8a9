import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isAllowedHost } from "./allowed-hosts.ts";
import { isSameToken } from "./token.ts";

/** Which requests a server answers. */
export interface GuardOptions {
  /** The address that the server listens at. */
  readonly host: string;
  /** Null: no token is needed. */
  readonly token: string | null;
}

/** Lets a request through, or answers it with the reason why not. */
export function guard({ host, token }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    if (!isAllowedHost(c.req.header("host"), host)) {
      return refuse(c, 403, "the server is not known by this name; use the address that rgnn serve printed");
    }
    if (isForeign(c)) return refuse(c, 403, "the request comes from a page of another site");
    if (token !== null) {
      const answer = admit(c, token);
      if (answer) return answer;
    }
    return next();
  };
}

/**
 * Whether a page of another site sent the request, by the headers that browsers set. Requests without these headers
 * come from other programs, which could forge them anyway. Following a link from another site to one of our pages is
 * allowed.
 */
function isForeign(c: Context): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) {
    const own = c.req.header("host")?.toLowerCase();
    return origin.toLowerCase() !== `http://${own}` && origin.toLowerCase() !== `https://${own}`;
  }
  const site = c.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink =
    c.req.method === "GET" && c.req.header("sec-fetch-mode") === "navigate" && !c.req.path.startsWith("/api/");
  return !isLink;
}

/**
 * Undefined if the request has the token, else the response to send. A token in the address is moved to a cookie by a
 * redirect, so that it stays out of histories and referrers.
 */
function admit(c: Context, token: string): Response | undefined {
  const { protocol, pathname, searchParams, port } = new URL(c.req.url);
  const name = `rgnn-${port}`; // all ports of a host share their cookies
  const given = searchParams.get("token");
  if (given !== null) {
    if (!isSameToken(given, token)) return refuse(c, 401, "the token in the address is not that of this server");
    setCookie(c, name, token, { httpOnly: true, sameSite: "Strict", path: "/", secure: protocol === "https:" });
    searchParams.delete("token");
    const rest = searchParams.size > 0 ? `?${searchParams}` : "";
    return c.redirect(pathname.replace(/^\/+/, "/") + rest, 303); // `//name` would redirect to another host
  }
  const bearer = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
  const shown = bearer ?? getCookie(c, name);
  if (shown !== undefined && isSameToken(shown, token)) return undefined;
  return refuse(c, 401, "a token is needed; open the address that rgnn serve printed");
}

function refuse(c: Context, status: 401 | 403, error: string): Response {
  return c.json({ error }, status);
}
