import type { Model } from "../model.js";

const ports: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** The server that a base URL leads to, without the credentials that it may carry. */
export function serverOf(baseURL: string): Model["server"] {
  if (!URL.canParse(baseURL)) return undefined;
  const { hostname, port, protocol } = new URL(baseURL);
  const number = port === "" ? ports[protocol] : Number(port);
  return { address: hostname, ...(number !== undefined && { port: number }) };
}
