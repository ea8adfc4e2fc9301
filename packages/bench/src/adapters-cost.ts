/**
 * The cost of an adapter, by what does not depend on how busy the machine is: CPU time of the process, promises, and bytes
 * allocated, of each way in turn in one process.
 *
 *     node --expose-gc --max-semi-space-size=256 packages/bench/dist/adapters-cost.js [ai-sdk|langchain|fetch] [rounds] [way…]
 */
import { createHook } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CallNext, definePlugin, type Invocation, type Kind, type Plugin } from "@suite/core";
import { CHUNKS, type Framework, type Measured } from "./adapters.js";
import { aiSdk } from "./adapters-ai-sdk.js";
import { anthropic } from "./adapters-fetch.js";
import { langChain } from "./adapters-langchain.js";
import { openPlugins } from "./adapters-plugins.js";
import { spread } from "./measure.js";

/** A layer with a stage that changes nothing. */
async function piped<K extends Kind>(invocation: Invocation<K>, callNext: CallNext): Promise<void> {
  await callNext();
  invocation.pipe({ chunk: (chunk, emit) => emit(chunk) });
}
/** A plain client has no agent and no rounds. */
const whereOffered = ["agent", "reasoning"] as const;
const observe = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });
/** The hooks of the three plugins, each with a stage that changes nothing. */
const stage = definePlugin({
  name: "stage",
  whereOffered,
  agent: piped,
  model: piped,
  observe() {},
  begin() {},
  end() {},
});
const allHooks = definePlugin({ ...stage, name: "all hooks", reasoning: piped });
const idle = definePlugin({ name: "idle", whereOffered, agent: (_, next) => next(), model: (_, next) => next() });
const stageOfModel = definePlugin({ name: "model", model: piped });

const [name = "ai-sdk", times = "60", ...chosen] = process.argv.slice(2);
const framework: Framework = { langchain: langChain, fetch: anthropic }[name] ?? aiSdk;
const { tracerProvider, all, close } = await openPlugins();
const wrapped = (plugins: readonly Plugin[]) => (): Measured => framework.withPlugins(plugins);
const makers: Readonly<Record<string, () => Measured>> = {
  bare: () => framework.bare(),
  "own telemetry": () => framework.withFrameworkTelemetry(tracerProvider),
  observe: wrapped([observe]),
  idle: wrapped([idle]),
  "stage of model": wrapped([stageOfModel]),
  stage: wrapped([stage]),
  "all hooks": wrapped([allHooks]),
  tracing: wrapped(all.slice(0, 1)),
  pii: wrapped(all.slice(1, 2)),
  audit: wrapped(all.slice(2, 3)),
  three: wrapped(all),
};
const ways = Object.keys(makers).filter((way) => chosen.length === 0 || way === "bare" || chosen.includes(way));

/** The number of calls in a row before the clock is read again, so that a turn of each way takes some milliseconds. */
const inARow = { call: 10, stream: 1 };
type Case = keyof typeof inARow;
const cases = Object.keys(inARow) as Case[];

async function once({ call, stream }: Measured, what: Case): Promise<void> {
  if (what === "call") await call();
  else for await (const _ of stream());
  await nextTurn();
}

const measured = Object.fromEntries(ways.map((way) => [way, makers[way]?.() as Measured]));
const of = (way: string): Measured => measured[way] as Measured;

async function cpuOf(measured: Measured, what: Case): Promise<number> {
  const start = process.cpuUsage();
  for (let done = 0; done < inARow[what]; done++) await once(measured, what);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / inARow[what];
}

let promises = 0;
const counting = createHook({
  init(_, type) {
    if (type === "PROMISE") promises++;
  },
});

async function counted(measured: Measured, what: Case): Promise<number> {
  counting.enable();
  const before = promises;
  await once(measured, what);
  counting.disable();
  return promises - before;
}

async function allocated(measured: Measured, what: Case): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let done = 0; done < inARow[what]; done++) await once(measured, what);
  return (process.memoryUsage().heapUsed - before) / inARow[what];
}

const figures = new Map<string, { cpu: number[]; promises: number[]; bytes: number[] }>();
const key = (way: string, what: Case): string => `${what}, ${way}`;
for (const what of cases) for (const way of ways) figures.set(key(way, what), { cpu: [], promises: [], bytes: [] });
const samplesOf = (way: string, what: Case) =>
  figures.get(key(way, what)) as { cpu: number[]; promises: number[]; bytes: number[] };

for (const what of cases) {
  for (let round = what === "call" ? -100 : -15; round < Number(times); round++) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const cpu = await cpuOf(of(way), what);
      if (round >= 0) samplesOf(way, what).cpu.push(cpu);
    }
  }
  for (let round = 0; round < 5; round++) {
    for (const way of ways) samplesOf(way, what).bytes.push(await allocated(of(way), what));
  }
}
for (const what of cases) {
  for (let round = 0; round < 3; round++) {
    for (const way of ways) samplesOf(way, what).promises.push(await counted(of(way), what));
  }
}

const median = (values: readonly number[]): number => spread(values).median;
const rows = cases.flatMap((what) =>
  ways.map((way) => {
    const { cpu, promises: count, bytes } = samplesOf(way, what);
    const ratioTo = (other: string): string => {
      const base = figures.get(key(other, what))?.cpu;
      return base === undefined ? "" : median(cpu.map((each, index) => each / (base[index] as number))).toFixed(2);
    };
    const each = what === "stream" ? ((median(cpu) - median(samplesOf("bare", what).cpu)) / CHUNKS).toFixed(1) : "";
    return {
      case: key(way, what),
      "CPU µs": Math.round(median(cpu)),
      "/ bare": ratioTo("bare"),
      "/ own": ratioTo("own telemetry"),
      "added a chunk, µs": each,
      promises: median(count),
      "/ bare ": (median(count) / median(samplesOf("bare", what).promises)).toFixed(2),
      KiB: Math.round(median(bytes) / 1024),
    };
  }),
);
console.log(`${framework.name}, Node ${process.version}, ${times} rounds`);
console.table(rows);
await close();
