import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openPlugins } from "./adapters-plugins.js";
import { frameworks } from "./server-frameworks.js";
import type { Served, Ways } from "./server-load.js";

/** Milliseconds between two looks at the event loop and at memory. */
const RESOLUTION = 10;
const MEMORY_EACH = 250;

/** The server of the bench: each request is an answer of the framework, as it streams. */
async function main(framework: string, way: Ways): Promise<void> {
  const paced = frameworks[framework];
  if (paced === undefined) throw new Error(`There is no ${framework}: ${Object.keys(frameworks).join(", ")}.`);
  const { all, tracerProvider } = await openPlugins();
  const answers =
    way === "bare"
      ? paced.bare()
      : way === "own telemetry"
        ? paced.withFrameworkTelemetry(tracerProvider)
        : paced.withPlugins(all);
  const server = createServer(async (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    try {
      for await (const text of answers()) {
        if (response.destroyed) break;
        response.write(text);
      }
    } catch (error) {
      console.error(error);
    }
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

/** Starts measuring this process. Returns a function that stops it and returns the results. */
function measure(): () => Served {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const start = performance.now();
  const cpu = process.cpuUsage();
  let rss = 0;
  let heap = 0;
  const look = (): void => {
    const used = process.memoryUsage();
    rss = Math.max(rss, used.rss);
    heap = Math.max(heap, used.heapUsed);
  };
  look();
  const timer = setInterval(look, MEMORY_EACH);
  return () => {
    clearInterval(timer);
    delay.disable();
    const { user, system } = process.cpuUsage(cpu);
    const milliseconds = (percentile: number): number => Math.max(0, delay.percentile(percentile) / 1e6 - RESOLUTION);
    return {
      seconds: (performance.now() - start) / 1000,
      cpuMicros: user + system,
      delayP50: milliseconds(50),
      delayP99: milliseconds(99),
      rss,
      heap,
    };
  };
}

let end: (() => Served) | undefined;
process.on("message", (message) => {
  if (message === "begin") end = measure();
  else if (end !== undefined) process.send?.(end());
});
const [framework = "", way = "bare"] = process.argv.slice(2);
await main(framework, way as Ways);
