import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { verify } from "@suite/audit";
import type { StateStore } from "@suite/core";
import { type Books, budgetKey, costOf, type ModelCall } from "./books.js";
import type { Counts } from "./load.js";
import type { ModelTotals } from "./model-process.js";
import type { ReceiverTotals } from "./receiver-process.js";
import { openResources, type Sample, trendOf } from "./samples.js";

/** One condition that must hold, and the figures that prove it. */
export interface Check {
  readonly name: string;
  readonly figure: string;
  readonly holds: boolean;
}

const rounded = (value: number): string => Math.round(value).toLocaleString("en");
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);

async function* linesOf(file: string): AsyncGenerator<string> {
  if (existsSync(file)) yield* createInterface({ input: createReadStream(file) });
}

/** Checks that the audit log verifies, and contains each acknowledged record. */
export async function auditChecks(books: Books, auditDir: string): Promise<readonly Check[]> {
  const { ok, records, problems, files } = await verify(auditDir);
  const logged = new Set<string>();
  for (const file of readdirSync(auditDir).filter((name) => name.endsWith(".jsonl"))) {
    for await (const line of linesOf(join(auditDir, file))) {
      for (const [, id] of line.matchAll(/"id":"([0-9a-f-]{36})"/g)) if (id !== undefined) logged.add(id);
    }
  }
  let acknowledged = 0;
  let absent = 0;
  for await (const id of linesOf(books.file("records"))) {
    acknowledged++;
    if (!logged.has(id)) absent++;
  }
  return [
    {
      name: "every log verifies",
      figure: `${rounded(records)} records in ${files.length} files, ${problems.length} problems`,
      holds: ok && records > 0,
    },
    {
      name: "every acknowledged record is in it",
      figure: `${rounded(acknowledged)} acknowledged, ${absent} missing`,
      holds: acknowledged > 0 && absent === 0,
    },
  ];
}

/** Checks that all started spans have ended, and that the ended ones have arrived or were reported as lost. */
export async function spanChecks(
  books: Books,
  { ids, repeated }: ReceiverTotals,
  reportedLost: number,
): Promise<readonly Check[]> {
  const arrived = new Set(ids);
  let missing = 0;
  let ended = 0;
  for await (const id of linesOf(books.file("spans"))) {
    ended++;
    if (!arrived.has(id)) missing++;
  }
  return [
    {
      name: "every span ended",
      figure: `${rounded(books.spans.begun)} begun, ${rounded(books.spans.ended)} ended${openNames(books)}`,
      holds: books.spans.begun > 0 && books.spans.begun === ended && books.openSpans.size === 0,
    },
    {
      name: "every ended span arrived behind the Collector, or was told as lost",
      figure: `${rounded(ended - missing)} arrived (${repeated} of them twice), ${rounded(missing)} did not; ${rounded(reportedLost)} told as lost`,
      holds: missing <= reportedLost && ended > missing,
    },
  ];
}

const openNames = ({ openSpans }: Books): string =>
  openSpans.size === 0 ? "" : `; open: ${[...new Set(openSpans.values())].slice(0, 5).join(", ")}`;

/**
 * Checks that budgets in Redis equal the cost of the calls, and that the cost agrees with the usage that the model
 * server sent.
 */
export async function budgetChecks(
  books: Books,
  model: ModelTotals,
  store: StateStore,
  users: readonly string[],
): Promise<readonly Check[]> {
  let counted = 0;
  let spent = 0;
  let uncertain = 0;
  const off: string[] = [];
  for (const user of users) {
    const { acknowledged = 0, uncertain: amounts = [] } = books.counters.get(budgetKey(user)) ?? {};
    // An uncertain refund: the call is in the ledger, but the acknowledged changes do not contain it.
    const refunded = amounts.filter((amount) => amount < 0).reduce((sum, amount) => sum + amount, 0);
    const total = (await store.add(budgetKey(user), 0)).total;
    uncertain += amounts.length;
    counted += total;
    spent += books.spent(user);
    if (acknowledged + refunded !== books.spent(user))
      off.push(`${user}: ledger ${books.spent(user)}, store ${acknowledged}`);
    if (!sumsOf(amounts).has(total - acknowledged))
      off.push(`${user}: in Redis ${total}, acknowledged ${acknowledged}`);
  }
  const calls = [...books.counters].filter(([key]) => key.startsWith("calls:"));
  for (const [key, { acknowledged, uncertain: amounts }] of calls) {
    const { total } = await store.add(key, 0);
    if (total < acknowledged || total > acknowledged + amounts.length)
      off.push(`${key}: ${total}, not ${acknowledged}`);
  }
  const { said, wrong, unread } = await againstTheServer(books, model);
  return [
    {
      name: "budgets are exact",
      figure: `${rounded(counted)} nano-units of ${users.length} users in Redis, ${rounded(spent)} spent by the ledger; ${uncertain} changes without an answer from a killed Redis make the difference; ${off.length} off${off.length > 0 ? ` (${off[0]})` : ""}`,
      holds: off.length === 0 && spent > 0,
    },
    {
      name: "what was paid for is what the model's server has said",
      figure: `${rounded(said)} answers, ${wrong} with other tokens; ${rounded(unread)} more were sent and not read to their end`,
      holds: wrong === 0 && said > 0,
    },
  ];
}

/** Returns all sums of subsets of these amounts. */
function sumsOf(amounts: readonly number[]): ReadonlySet<number> {
  let sums = new Set([0]);
  for (const amount of amounts) {
    if (sums.size > 1_000_000) throw new Error("Too many changes without an answer: budgets cannot be checked.");
    sums = new Set([...sums, ...[...sums].map((sum) => sum + amount)]);
  }
  return sums;
}

/** Compares each answer of the ledger with the server's records: it occurs once, with these tokens. */
async function againstTheServer(books: Books, { answers }: ModelTotals) {
  const remaining = new Map(Object.entries(answers));
  let said = 0;
  let wrong = 0;
  for await (const line of linesOf(books.file("calls"))) {
    const { end, id = "", input, output } = JSON.parse(line) as ModelCall;
    if (end !== "used") continue;
    said++;
    const [serverInput, serverOutput] = remaining.get(id) ?? [];
    if (!remaining.delete(id) || costOf(input ?? 0, output ?? 0) !== costOf(serverInput ?? 0, serverOutput ?? 0))
      wrong++;
  }
  return { said, wrong, unread: [...remaining.values()].filter(([, , end]) => end === "completed").length };
}

/** Checks that no tool has executed a call twice, and that nothing was undone twice or without having been done. */
export function effectChecks(books: Books): readonly Check[] {
  const file = books.file("effects");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const once = new Set(lines);
  const cancelled = [...once].filter((line) => line.startsWith("cancel_pickup"));
  const ofNothing = cancelled.filter((line) => !once.has(line.replace("cancel_", "book_"))).length;
  return [
    {
      name: "no side effect twice",
      figure: `${rounded(lines.length)} effects, ${lines.length - once.size} of them again; ${cancelled.length} taken back, ${ofNothing} of them without having been`,
      holds: lines.length > 0 && lines.length === once.size && ofNothing === 0,
    },
  ];
}

/** Minutes that a soak takes at least before a trend is meaningful. */
const LONG_ENOUGH = 10;

/** Checks that memory, handles and timers are flat over the last three quarters. */
export function trendChecks(samples: readonly Sample[]): readonly Check[] {
  const last = samples.at(-1)?.at ?? 0;
  const settled = samples.filter(({ at }) => at >= last / 4);
  const quiet = settled.filter((sample) => sample.quiet);
  const minutes = last / 60;
  const memory = (["heap", "rss", "external"] as const).map((name): Check => {
    const of = name === "rss" ? settled : quiet;
    const { mean, slope, noise, error } = trendOf(of.map((sample) => [sample.at / 3600, sample[name]]));
    const grown = slope * ((last * 0.75) / 3600);
    return {
      name: `memory is flat: ${name}`,
      figure: `${mebibytes(mean)} MiB; ${mebibytes(slope)} ± ${mebibytes(2 * error)} MiB an hour; noise ${mebibytes(noise)} MiB${minutes < LONG_ENOUGH ? " (too short to say)" : ""}`,
      holds: minutes < LONG_ENOUGH || grown < Math.max(2 * noise, 0.02 * mean),
    };
  });
  const open = (["timers", "handles", "descriptors"] as const).map((name): Check => {
    const values = quiet.map((sample) => sample[name]);
    const { mean, slope } = trendOf(quiet.map((sample) => [sample.at / 3600, sample[name]]));
    const grown = slope * ((last * 0.75) / 3600);
    return {
      name: `${name} are flat`,
      figure: `${Math.min(...values)} to ${Math.max(...values)} while no run is at work, ${mean.toFixed(1)} in the mean; ${slope.toFixed(2)} an hour`,
      holds: values.length > 0 && (minutes < LONG_ENOUGH || grown < 2),
    };
  });
  return [...memory, ...open];
}

/** The failures that faults cause: of the provider, of a broken connection, of limits, of a killed Redis. */
const provoked = [
  /^(429|503)$/,
  /^ERR_(RESILIENCE|LIMITS|STORE_REDIS|AGENT|APPROVAL|MEMORY)_/,
  /^TypeError: terminated$/, // the error of fetch for a connection that was cut
  /^Error: Connection error\.$/, // the client's error for a connection that was cut before its headers
  /^SyntaxError: .*JSON/, // of a body that breaks off
  /^(Socket|SocketClosedUnexpectedly|ClientOffline|Disconnects|ConnectionTimeout|Reconnect).*Error/,
  /^Error: (Socket closed unexpectedly|LOADING Redis is loading)/,
  /^(ECONNREFUSED|ECONNRESET|EPIPE)$/,
  /^(API)?Error: Scripted/, // the provider's error event in a stream
  /^rate_limit_exceeded$/,
];

/** Checks that runs of every kind have happened, and that all failures come from faults. */
export function loadChecks(
  counts: Counts,
  failures: Readonly<Record<string, number>>,
  model: Pick<ModelTotals, "requests" | "refused">,
): readonly Check[] {
  const others = Object.keys(failures).filter((name) => !provoked.some((pattern) => pattern.test(name)));
  const { started, completed, failed, aborted, suspended, resumed, expired } = counts;
  const refused = Object.entries(model.refused).map(([status, times]) => `${times} × ${status}`);
  return [
    {
      name: "runs of every kind",
      figure: `${rounded(started)} begun, ${rounded(resumed)} gone on with; ${rounded(completed)} completed, ${rounded(suspended)} suspended, ${rounded(aborted)} aborted, ${rounded(failed)} failed, ${rounded(expired)} expired`,
      holds: [started, completed, aborted, suspended, resumed].every((count) => count > 0),
    },
    {
      name: "only what was made to fail has failed",
      figure: `${Object.keys(failures).length} kinds of failure, others: ${others.join("; ") || "none"}; the model's server was asked ${rounded(model.requests)} times, and refused ${refused.join(", ")}`,
      holds: others.length === 0,
    },
  ];
}

/**
 * Checks that nothing is left: no timer, no handle except the standard streams of this process, no process that it has
 * started.
 */
export function leakChecks(): readonly Check[] {
  const { timers, names } = openResources();
  const others = names.filter((name) => !["Timeout", "Immediate", "TTYWrap", "PipeWrap"].includes(name));
  const processes = descendantsOf(process.pid);
  return [
    {
      name: "no timer is left",
      figure: `${timers} timers; other handles: ${others.join(", ") || "none"}`,
      holds: timers === 0 && others.length === 0,
    },
    {
      name: "no process is left",
      figure: processes.length === 0 ? "none" : processes.join(", "),
      holds: processes.length === 0,
    },
  ];
}

/** The names and states of the processes below this one. */
function descendantsOf(pid: number): readonly string[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [, command = "", state, parent] = /\((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
        return [{ pid: Number(name), command, state, parent: Number(parent) }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
  const below = (parent: number): readonly string[] =>
    all
      .filter((each) => each.parent === parent)
      .flatMap((each) => [`${each.command} ${each.state}`, ...below(each.pid)]);
  return below(pid);
}
