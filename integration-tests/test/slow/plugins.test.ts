import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it, jest } from "@jest/globals";
import { audit, fileSink } from "@suite/audit";
import { PiiError, pii, type Rules } from "@suite/pii";
import { describePlugin } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing, type TracingSetup } from "@suite/tracing/node";

jest.setTimeout(60_000); // the hostile values are large
const folder = mkdtempSync(join(tmpdir(), "plugins-"));
let telemetry: TracingSetup;
beforeAll(() => {
  telemetry = setupTracing({ serviceName: "contract" });
});
afterAll(async () => {
  await telemetry.shutdown();
  rmSync(folder, { recursive: true });
});

const everywhere = {
  input: true,
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  humanInput: true,
};
const types = ["email", "credit_card", "ip", "mac", "url"] as const;
const tokenized: Rules = Object.fromEntries(types.map((type) => [type, "tokenize" as const]));
const rules = { email: "redact", credit_card: "mask", ip: "hash", mac: "redact", url: "block" } as const;

describePlugin("tracing", { create: () => tracing({ content: "full" }) }, { describe, it });
describePlugin(
  "pii",
  { create: () => pii(rules, { apply: everywhere }), mayRefuse: (error) => PiiError.is(error) },
  { describe, it },
);
describePlugin(
  "pii with tokens",
  {
    create: () => pii(tokenized, { apply: everywhere, restore: { tools: ["look"] } }),
    mayRefuse: (error) => PiiError.is(error),
  },
  { describe, it },
);
describePlugin(
  "pii that also treats errors, and passes nothing that is no text",
  {
    create: () => pii(rules, { apply: { ...everywhere, errors: true }, onUnscannable: "drop" }),
    mayRefuse: (error) => PiiError.is(error),
  },
  { describe, it },
);
describePlugin(
  "audit",
  { create: () => audit({ sink: fileSink({ dir: folder }), policy: { content: "full" }, warn: () => {} }) },
  { describe, it },
);
