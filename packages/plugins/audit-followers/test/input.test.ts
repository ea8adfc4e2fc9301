import { describe } from "@jest/globals";
import { AuditError, openLog } from "@suite/audit";
import { testInputs } from "../../audit/test/inputs.js";
import { temporaryDirectory } from "../../audit/test/support.js";
import * as main from "../src/index.js";
import * as witnesses from "../src/witnesses.js";

/** Creates a log with a record, and a target. */
async function fixture() {
  const dir = await temporaryDirectory();
  const log = await openLog({ dir });
  await log.append({ version: 1, id: "a", time: "2026-01-01T00:00:00Z", type: "tool" });
  await log.close();
  const target: main.FollowerTarget = { name: "test", deliver: async () => {}, close: async () => {} };
  return { dir, target };
}

describe("input of audit-followers", () => {
  testInputs({
    exported: { ...main, ...witnesses },
    functions: {
      keepWitnessed: ({ dir }) => [dir, { witnesses: "", everyMs: 100_000, timeoutMs: 1, onError: () => {} }],
      witnessLog: ({ dir }) => [dir, { witnesses: "", timeoutMs: 1 }],
      follow: ({ dir, target }) => [dir, target, { pollMs: 1000, batchBytes: 1000, onError: () => {} }],
      followAll: ({ dir, target }) => [dir, [target], { pollMs: 1000, batchBytes: 1000, onError: () => {} }],
      otlpLogs: () => [{ url: "https://localhost:1", headers: {}, resource: {}, timeoutMs: 1 }],
      postgres: () => [{ connectionString: "postgres://localhost/x", table: "x", timeoutMs: 1 }],
      syslog: () => [{ url: "tls://localhost:1", facility: 13, appName: "x", timeoutMs: 1, tls: {} }],
    },
    fixture,
    // Errors of the log pass unchanged.
    isExpected: (error) => main.AuditFollowersError.is(error) || AuditError.is(error),
  });
});
