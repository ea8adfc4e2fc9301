import type { IncomingMessage } from "node:http";

const names = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether a request is meant for this machine, by the name that it asks for: a page elsewhere can have a name of its own lead
 * here (DNS rebinding), and its browser then sends that name.
 */
export function isLocal({ headers }: IncomingMessage, port: number): boolean {
  const { host = "" } = headers;
  return names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** Whether a request comes from a page of another origin, as browsers say. */
export function isForeign({ headers }: IncomingMessage, port: number): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return origin !== undefined && !names.some((name) => origin === `http://${name}:${port}`);
}
