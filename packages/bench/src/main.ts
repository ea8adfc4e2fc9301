/** Runs the benchmarks on the built packages, prints the results, and writes them to the README of this package. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { adaptersAiSdk } from "./adapters-ai-sdk.js";
import { adaptersFetch } from "./adapters-fetch.js";
import { adaptersLangChain } from "./adapters-langchain.js";
import { agentRound, agentWork } from "./agent-round.js";
import { auditLog } from "./audit-log.js";
import { auditPlugin } from "./audit-plugin.js";
import { auditVerify } from "./audit-verify.js";
import type { Group } from "./group.js";
import { limitsCounters } from "./limits-counters.js";
import { limitsRate, limitsRateRedis } from "./limits-rate.js";
import { type Effort, measure } from "./measure.js";
import { onion } from "./onion.js";
import { piiHistory } from "./pii-history.js";
import { piiReal } from "./pii-real.js";
import { piiStream } from "./pii-stream.js";
import { piiThroughput } from "./pii-throughput.js";
import { hasRedis } from "./redis-server.js";
import { page, section } from "./report.js";
import { resilienceCache } from "./resilience-cache.js";
import { resilienceLayers } from "./resilience-layers.js";
import { serverBenches, serverSection } from "./server-streams.js";
import { stream } from "./stream.js";
import { tracingSpans } from "./tracing.js";
import { tracingStream } from "./tracing-stream.js";
import { unusedHook } from "./unused-hook.js";

const groups: readonly Group<string>[] = [
  unusedHook,
  onion,
  stream,
  tracingSpans,
  tracingStream,
  piiThroughput,
  ...piiReal,
  piiStream,
  piiHistory,
  auditPlugin,
  auditLog,
  auditVerify,
  limitsCounters,
  limitsRate,
  resilienceLayers,
  resilienceCache,
  ...(hasRedis ? [limitsRateRedis] : []),
  agentRound,
  agentWork,
  adaptersAiSdk,
  adaptersLangChain,
  adaptersFetch,
];

const thorough: Effort = { rounds: 200, turn: 5, warmUp: 400 };
const quick: Effort = { rounds: 30, turn: 3, warmUp: 120 };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string" } } });
  const { only } = values;
  const chosen = groups.filter(({ name }) => only === undefined || name === only);
  const servers = serverBenches.filter((name) => only === undefined || name === only);
  if (chosen.length + servers.length === 0) {
    throw new Error(
      `There is no group ${only}. There are ${groups.map(({ name }) => name).join(", ")}, ${serverBenches.join(", ")}.`,
    );
  }
  const effort = values.quick ? quick : thorough;
  const sections: string[] = [];
  for (const group of chosen) {
    const { cases, close } = await group.open();
    const rounds = Math.min(effort.rounds, group.rounds ?? effort.rounds);
    try {
      sections.push(section(group, await measure(cases, group.units ?? 1, { ...effort, rounds, clock: group.clock })));
    } finally {
      await close?.();
    }
    console.log(`${sections.at(-1)}\n`);
  }
  for (const name of servers) {
    sections.push(await serverSection(name, { streams: 1000, seconds: values.quick ? 3 : 10 }));
    console.log(`${sections.at(-1)}\n`);
  }
  if (values.quick || only !== undefined) return;
  await writeFile(new URL("../README.md", import.meta.url), page(sections, effort));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
