import { join } from "node:path";
import { describe } from "@jest/globals";
import { freePort } from "../../scripts/free-port.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { answers, type Running, start } from "./process.js";

export { killAll } from "./process.js";

/** `scripts/collector.mjs` says before the tests where it is. */
const program = process.env.OTELCOL;

/** Tests that need a real collector. */
export const withCollector = program === undefined ? describe.skip : describe;

/** A real collector, as `collector/config.yaml` sets it up. Stopped, it sends on what it has. */
export interface Collector extends Running {
  readonly url: string;
}

const all = { EXPORT_ENCODING: "json", EXPORT_METRICS_TO: "[otlp_http]", EXPORT_LOGS_TO: "[otlp_http]" };
const empty = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };

/** Starts one that sends spans, metrics and logs on, and waits until it takes them. */
export const startCollector = (sendsTo: string, port?: number): Promise<Collector> =>
  startWith({ ...all, EXPORT_ENDPOINT: sendsTo }, port);

/** One for the audit log alone, as `collector/audit.yaml` sets it up. */
export const startAuditCollector = (sendsTo: string, port?: number): Promise<Collector> =>
  startWith({ EXPORT_ENCODING: "json", EXPORT_ENDPOINT: sendsTo }, port, "audit.yaml");

/** Starts a collector with an environment and a file for its configuration, and waits until it takes requests. */
export async function startWith(
  env: Readonly<Record<string, string>>,
  port?: number,
  file = "config.yaml",
): Promise<Collector> {
  if (program === undefined) throw new Error("no collector");
  const url = `http://127.0.0.1:${port ?? (await freePort())}`;
  const listens = {
    OTLP_GRPC_ENDPOINT: `127.0.0.1:${await freePort()}`,
    OTLP_HTTP_ENDPOINT: url.slice("http://".length),
  };
  const config = `--config=${join(root, "collector", file)}`;
  const running = await start([program, config], { ...listens, ...env }, () => answers(`${url}/v1/logs`, empty));
  return { url, ...running };
}
