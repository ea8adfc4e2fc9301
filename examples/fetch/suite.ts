import { audit, fileSink } from "@suite/audit";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";

/** The guard, with a strategy for each type of personal data. */
export const guard = pii(
  { email: "redact", credit_card: "mask", ip: "hash", mac: "redact", url: "redact" },
  { apply: { output: true } },
);

/** The three questions: what did it do, what did it leak, can I prove it? First is outermost. */
export const plugins = [
  tracing({ content: "redacted" }),
  guard,
  audit({ sink: fileSink({ dir: "fetch-output" }), policy: { content: "redacted" } }),
] as const;
