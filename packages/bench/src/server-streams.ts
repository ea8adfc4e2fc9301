import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { table } from "./report.js";
import { frameworks } from "./server-frameworks.js";
import { CHUNKS, type Load, PERIOD_MS, type Served, type Ways, ways } from "./server-load.js";

/** Seconds of warm-up of a server under full load. */
const WARM_UP = 3;
/** True if `taskset` exists: the server then has one core, and its client another. */
const pinned = spawnSync("taskset", ["-V"]).error === undefined;

/** The names of this bench: one for each framework. */
export const serverBenches: readonly string[] = Object.keys(frameworks).map((framework) => `server/${framework}`);

/**
 * Returns the section of the page about a server that streams many answers at once, by variant of observation. It is
 * separate from the other benches because it takes two processes: `npm run bench -- --only server/fetch`.
 */
export async function serverSection(bench: string, load: Load): Promise<string> {
  const framework = bench.slice(bench.indexOf("/") + 1);
  const rows: string[][] = [];
  for (const way of ways) rows.push(row(way, load, await measured(framework, way, load)));
  const about =
    `An HTTP server on one core${pinned ? "" : " (not pinned: there is no taskset)"}, ${load.streams} streams of ${CHUNKS} chunks, ` +
    `one each ${PERIOD_MS} ms, and a new stream behind each that ends, for ${load.seconds} s. The client is another process. ` +
    "The share of chunks that came in time is the machine's as much as the server's; CPU per chunk is the server's. The event " +
    "loop's delay is what comes on top of the 10 ms at which it is looked at. Memory at its most.";
  const head = ["way", "chunks/s", "of those asked", "core", "us/chunk", "delay p50", "delay p99", "RSS", "heap"];
  return [`## ${bench}`, about, table(head, rows)].join("\n\n");
}

/** The figures of one server under the load. */
async function measured(
  framework: string,
  way: Ways,
  { streams, seconds }: Load,
): Promise<Served & { chunks: number }> {
  const server = child("server-process", 0, framework, way);
  const { port } = await messageFrom<{ port: number }>(server);
  const client = child("server-client", 1, String(port), String(streams));
  await messageFrom(client);
  await wait(WARM_UP);
  server.send("begin");
  client.send("begin");
  await wait(seconds);
  server.send("end");
  client.send("end");
  const [served, { chunks }] = await Promise.all([
    messageFrom<Served>(server),
    messageFrom<{ chunks: number }>(client),
  ]);
  client.kill();
  await once(client, "exit");
  server.kill();
  await once(server, "exit");
  return { ...served, chunks };
}

function child(name: string, core: number, ...args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const [command = "", ...rest] = [...(pinned ? ["taskset", "-c", String(core)] : []), process.execPath, file, ...args];
  return spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

/** Returns the next message of a process. Rejects if the process ends without one. */
function messageFrom<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("A process of the bench ended too early."));
    from.once("exit", ended);
    from.once("message", (message) => {
      from.off("exit", ended);
      resolve(message as T);
    });
  });
}

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

function row(way: Ways, { streams }: Load, served: Served & { chunks: number }): string[] {
  const { seconds, cpuMicros, chunks, delayP50, delayP99, rss, heap } = served;
  const scheduled = (streams * 1000) / PERIOD_MS;
  const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
  return [
    way,
    Math.round(chunks / seconds).toLocaleString("en"),
    `${Math.round((100 * chunks) / seconds / scheduled)} %`,
    `${Math.round(cpuMicros / seconds / 1e4)} %`,
    (cpuMicros / chunks).toFixed(1),
    `${delayP50.toFixed(1)} ms`,
    `${delayP99.toFixed(1)} ms`,
    megabytes(rss),
    megabytes(heap),
  ];
}
