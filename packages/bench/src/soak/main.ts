/**
 * The soak: a support desk with every plugin of the suite runs for a while, with faults enabled. At the end all records
 * are compared. `npm run soak -- --minutes 60 --dir DIR`; it exits with 1 if a check fails.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { approvals } from "@suite/approval";
import { inProcessMemory } from "@suite/memory";
import { redisStateStore } from "@suite/store-redis";
import { setupTracing } from "@suite/tracing/node";
import { seeded } from "../random.js";
import { Books } from "./books.js";
import {
  auditChecks,
  budgetChecks,
  type Check,
  effectChecks,
  leakChecks,
  loadChecks,
  spanChecks,
  trendChecks,
} from "./checks.js";
import { deskOf, guardOf, keys } from "./desk.js";
import { Load, RequestRegister } from "./load.js";
import type { ModelTotals } from "./model-process.js";
import { Outages } from "./outages.js";
import { collector, findCollector, killAtExit, outside, redis } from "./programs.js";
import type { ReceiverTotals } from "./receiver-process.js";
import type { Report } from "./report.js";
import { Sampler } from "./samples.js";

const users = ["ada", "ben", "cleo", "dan", "eve", "fay"];
/** Milliseconds between two samples. Every `QUIET`-th sample is taken while no run is active. */
const EACH = 5000;
const QUIET = 6;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      dir: { type: "string", default: "soak-output" },
      seed: { type: "string", default: "18" },
      share: { type: "string", default: "0.3" },
      each: { type: "string", default: `${EACH}` },
    },
  });
  const [minutes, seed, share, each] = [values.minutes, values.seed, values.share, values.each].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const found = findCollector();
  if ("missing" in found) {
    console.error(`The soak cannot run: ${found.missing}`);
    return 2;
  }

  // The environment of the desk.
  killAtExit();
  const dir = resolve(values.dir);
  const auditDir = join(dir, "audit");
  const redisDir = join(dir, "redis");
  for (const folder of [dir, redisDir]) mkdirSync(folder, { recursive: true });
  const model = await outside<ModelTotals>("model", `${seed}`);
  const receiver = await outside<ReceiverTotals>("receiver");
  const redisServer = await redis(redisDir);
  const collectorServer = await collector(found.program, dir, receiver.url);

  // The desk: two agents, like two processes, which share everything in Redis.
  const books = new Books(dir);
  const warnings: string[] = [];
  const telemetry = setupTracing({
    serviceName: "soak",
    endpoint: collectorServer.url,
    redactor: guardOf().redactor,
    processors: [books.spanProcessor()],
    flushOnExit: false,
    warn: (message) => void warnings.push(message),
  });
  const store = redisStateStore({ url: redisServer.url, socket: { reconnectStrategy: 100 } });
  const expiresIn = Math.min(60_000, minutes * 15_000);
  const asked = new RequestRegister();
  const common = { books, modelUrl: model.url, store, auditDir, asked, expiresIn };
  const remembered = inProcessMemory({ maxPerUser: 60 });
  const agents = [deskOf(common, remembered), deskOf(common, remembered)];
  const random = seeded(seed + 1);
  const load = new Load({
    agents,
    approvals: approvals({ store, keys }),
    asked,
    random,
    users,
    lanes: 4,
    share,
    expiresIn,
  });

  // Start the load, the samples and the faults.
  const outages = new Outages(redisServer, collectorServer, Math.min(150_000, minutes * 7_500), seeded(seed + 2));
  const sampler = new Sampler();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const working = Promise.all([load.work(), outages.work()]);
  const ended = (): number => load.counts.completed + load.counts.failed + load.counts.aborted + load.counts.suspended;
  for (let turn = 1; performance.now() - start < minutes * 60_000; turn++) {
    await sleep(each);
    const quiet = turn % QUIET === 0;
    const sample = quiet ? await load.quietly(async () => sampler.look(true, ended())) : sampler.look(false, ended());
    if (quiet) console.log(JSON.stringify(sample));
  }
  load.end();
  outages.end();
  await working;
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;

  // Close everything, and compare the records.
  for (const agent of agents) await agent.close();
  await telemetry.shutdown();
  sampler.end();
  const totals = await model.totals();
  const reportedLost = Number(/total spans lost: (\d+)/.exec(warnings.join("\n"))?.[1] ?? 0);
  const held: Check[] = [
    ...loadChecks(load.counts, load.failures, totals),
    ...(await auditChecks(books, auditDir)),
    ...(await spanChecks(books, await receiver.totals(), reportedLost)),
    ...(await budgetChecks(books, totals, store, [...users, ""])),
    ...effectChecks(books),
    ...trendChecks(sampler.samples),
  ];
  await store.close();
  await redisServer.kill();
  await collectorServer.kill();
  await model.end();
  await receiver.end();
  await sleep(1000); // sockets that close
  held.push(...leakChecks());

  const report: Report = {
    measured: new Date().toISOString().slice(0, 10),
    minutes: seconds / 60,
    node: process.version,
    cpus: availableParallelism(),
    cpuShare: (user + system) / 1e6 / seconds,
    counts: load.counts,
    failures: load.failures,
    refused: totals.refused,
    requests: totals.requests,
    modelCalls: books.modelCalls,
    decisions: books.decisions,
    audio: books.audio,
    lines: books.lines,
    outages: outages.list,
    warnings,
    checks: held,
    samples: sampler.samples,
  };
  writeFileSync(join(dir, "soak.json"), `${JSON.stringify(report)}\n`);
  for (const { name, figure, holds } of held) console.log(`${holds ? "holds" : "DOES NOT HOLD"}  ${name}: ${figure}`);
  return held.every(({ holds }) => holds) ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
