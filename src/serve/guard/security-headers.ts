import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** Headers of our pages: scripts from here only, no eval, no frames; cross-origin isolated, to be allowed threads. */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:", "blob:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    crossOriginEmbedderPolicy: "require-corp",
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
    xFrameOptions: "DENY",
    strictTransportSecurity: false, // the server speaks http; an https proxy sets this header itself
  });
}

/** A report has its scripts and styles inline. Its policy lets it request nothing, not even from this server. */
const REPORT_POLICY =
  "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; " +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Replaces the policy of {@link securityHeaders}. Register it before: the outer middleware sets its headers last. */
export function reportPolicy(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res.headers.get("content-type")?.startsWith("text/html")) {
      c.res.headers.set("content-security-policy", REPORT_POLICY);
    }
  };
}
