import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "@suite/audit";
import { type Appender, syncEach, syncGroups } from "./audit-log-plain.js";
import { type Aim, defineGroup } from "./group.js";
import type { Case } from "./measure.js";

/** The record that the plugin writes for a tool call with its content, as an object: about 1 KiB when stored. */
const record = {
  version: 1,
  id: "0e8a9c52-6a0f-4a53-9d4a-3f5d0c1be6f0",
  time: "2026-01-02T03:04:05.678Z",
  stage: "outcome",
  type: "tool",
  operation: "execute_tool",
  runId: "5f0c1be6-6a0f-4a53-9d4a-0e8a9c523f5d",
  callId: "c-1",
  actor: { agent: "support", agentId: "agent-7", onBehalfOf: "u-1" },
  target: { name: "refund", id: "call_1" },
  outcome: { status: "completed" },
  content: {
    order: 42,
    lines: Array.from({ length: 8 }, (_, n) => ({ n, text: "an article that was sent back".repeat(2) })),
  },
};

/** Each of so many writers appends one record, and all of them wait. */
const writers =
  (log: Appender, count: number): Case =>
  () =>
    Promise.all(Array.from({ length: count }, () => log.append(record)));

const atLeast = (limit: number): Aim => ({ text: `at least ${limit}`, met: ({ median }) => median >= limit });

export const auditLog = defineGroup({
  name: "audit/log",
  about:
    "So many writers append a record of 1 KiB each and wait until it is durable; then they append the next. `each`: one write and one " +
    "fdatasync per record. `groups`: one for all that came meanwhile. `log`: that with limits, Merkle tree and signed checkpoint, as " +
    "`openLog` gives it. All three write the same canonical JSON into the temporary directory. A ratio is one of throughputs: more is " +
    "faster. It says little where that directory is not on a disk, or the disk does not wait for fdatasync. 40 rounds.",
  unit: "record of each writer",
  rounds: 40,
  async open() {
    const dir = await mkdtemp(join(tmpdir(), "suite-bench-"));
    const each = await syncEach(join(dir, "each"));
    const groups = await syncGroups(join(dir, "groups"));
    const log = await openLog({ dir: join(dir, "log") });
    return {
      cases: {
        "each, 1 writer": writers(each, 1),
        "each, 16 writers": writers(each, 16),
        "each, 256 writers": writers(each, 256),
        "groups, 1 writer": writers(groups, 1),
        "groups, 16 writers": writers(groups, 16),
        "groups, 256 writers": writers(groups, 256),
        "log, 1 writer": writers(log, 1),
        "log, 16 writers": writers(log, 16),
        "log, 256 writers": writers(log, 256),
      },
      async close() {
        await Promise.all([each.close(), groups.close(), log.close()]);
        await rm(dir, { recursive: true });
      },
    };
  },
  figures: [
    {
      name: "log / groups, 256 writers",
      ratio: (time) => time["groups, 256 writers"] / time["log, 256 writers"],
      aim: atLeast(0.8),
    },
    {
      name: "log / each, 256 writers",
      ratio: (time) => time["each, 256 writers"] / time["log, 256 writers"],
      aim: atLeast(6),
    },
    { name: "log / groups, 16 writers", ratio: (time) => time["groups, 16 writers"] / time["log, 16 writers"] },
    { name: "log / each, 16 writers", ratio: (time) => time["each, 16 writers"] / time["log, 16 writers"] },
    { name: "log / groups, 1 writer", ratio: (time) => time["groups, 1 writer"] / time["log, 1 writer"] },
    { name: "log / each, 1 writer", ratio: (time) => time["each, 1 writer"] / time["log, 1 writer"] },
  ],
});
