import { audit, fileSink } from "@suite/audit";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";

/** Both processes have their own: neither relies on the other. */
export const guard = pii(
  { email: "redact", credit_card: "mask" },
  { apply: { toolArguments: true, toolResults: true, humanInput: true } },
);

export const plugins = (auditDir: string) =>
  [
    tracing({ content: "redacted" }),
    guard,
    audit({ sink: fileSink({ dir: auditDir }), policy: { content: "redacted" } }),
  ] as const;
