import { join } from "node:path";
import { describe } from "@jest/globals";
import { freePort } from "../../scripts/free-port.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { answers, type Running, start } from "../collector/process.js";

/** `scripts/jaeger.mjs` says before the tests where they are. */
const { JAEGER, OTELCOL } = process.env;

/** Tests that need a real collector and a real Jaeger behind it. */
export const withJaeger = JAEGER === undefined || OTELCOL === undefined ? describe.skip : describe;

/** A real Jaeger, as `jaeger/config.yaml` sets it up. */
export interface Jaeger extends Running {
  /** Takes OTLP over HTTP. */
  readonly url: string;
  readonly services: () => Promise<readonly string[]>;
  readonly operations: (service: string) => Promise<readonly string[]>;
  /** The ids of the traces of a service in which a span has these attributes. */
  readonly search: (service: string, tags?: Readonly<Record<string, string>>) => Promise<readonly string[]>;
  /** A trace as OTLP in JSON. */
  readonly trace: (traceId: string) => Promise<string>;
}

/** Starts one, and waits until it is up. */
export async function startJaeger(): Promise<Jaeger> {
  if (JAEGER === undefined) throw new Error("no Jaeger");
  const [otlp, query, health] = [await address(), await address(), await address()];
  const env = { OTLP_HTTP_ENDPOINT: otlp, QUERY_ENDPOINT: query, HEALTH_ENDPOINT: health };
  const config = `--config=${join(root, "jaeger/config.yaml")}`;
  const running = await start([JAEGER, config], env, () => answers(`http://${health}/status`));
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://${query}/api/${path}`);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const data = async <T>(path: string) => ((await ask(path)) as { readonly data: readonly T[] | null }).data ?? [];
  return {
    ...running,
    url: `http://${otlp}`,
    services: () => data<string>("services"),
    operations: (service) => data<string>(`services/${service}/operations`),
    async search(service, tags = {}) {
      const asked = new URLSearchParams({ service, tags: JSON.stringify(tags), limit: "1000" });
      const traces = await data<{ readonly traceID: string }>(`traces?${asked}`);
      return traces.map(({ traceID }) => traceID);
    },
    async trace(traceId) {
      const { result } = (await ask(`v3/traces/${traceId}`)) as { readonly result: unknown };
      return JSON.stringify(result);
    },
  };
}

const address = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
