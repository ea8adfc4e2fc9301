import { definePlugin, type Invocation, type MiddlewareProtocol } from "@suite/core";
import { Delivery } from "../log/delivery/delivery.js";
import { fileSink } from "../log/delivery/file-sink.js";
import { WatchedSink } from "../log/delivery/watched-sink.js";
import { Composer } from "../record/compose.js";
import { hashedRedaction } from "../record/hashed-redaction.js";
import { compilePolicy } from "../record/policy.js";
import type { ActKind } from "../record/record.js";
import { userOf } from "../record/run-facts.js";
import { SealingSink } from "../subjects/sealing-sink.js";
import { emitWarning } from "../warnings.js";
import { acts } from "./acts.js";
import { recordCalls } from "./calls.js";
import { PolicyInForce } from "./in-force.js";
import { factsOf } from "./notifications.js";
import { type AuditOptions, checkAuditOptions, DEFAULT_DIR, once, positive } from "./options.js";
import { Recorder } from "./recorder.js";

/**
 * The plugin: one record before and one after each agent run, model call, tool call, question to a person, request for
 * embeddings, search of documents and operation on a memory, and one for each decision of a guard or another plugin, approval, suspension, resume, external result, limit and fault. By default a tool runs only when the
 * record of its intent is durable, and nothing of what was said is recorded. `close` flushes.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`; in a call, `ERR_AUDIT_UNAVAILABLE` where a required record could not be made durable
 * @example
 * ```ts
 * audit();
 * audit({ sink: fileSink({ dir: "/var/log/agent", signer }), policy: { content: "redacted" } });
 * ```
 */
export function audit(options: AuditOptions = {}) {
  checkAuditOptions(options);
  const warn = once(options.warn ?? emitWarning);
  const policy = compilePolicy(options.policy);
  const timeoutMs = positive("timeoutMs", options.timeoutMs ?? 5000);
  const bufferBytes = positive("bufferBytes", options.bufferBytes ?? 16 * 1024 * 1024);
  const { span, subjects, subjectOf = userOf, valueKey } = options;
  const log = options.sink ?? fileSink({ dir: DEFAULT_DIR, onNotice: warn });
  const watched = new WatchedSink(log, timeoutMs, warn);
  const sink = subjects ? new SealingSink(watched, subjects) : watched;
  const delivery = new Delivery(sink, { timeoutMs, bufferBytes, warn });
  const composer = new Composer({ policy, warn, span, redact: valueKey && hashedRedaction(valueKey) });
  const settings = {
    ...policy.rules,
    timeoutMs,
    bufferBytes,
    sink: options.sink === undefined ? "default" : "own",
    encrypted: subjects !== undefined,
    ...(valueKey && { valueKey: valueKey.kid }),
  };
  const recorder = new Recorder(policy, new PolicyInForce(settings), composer, delivery, subjects && subjectOf);
  return definePlugin({
    name: "audit",
    single: true,
    whereOffered: [...kinds, "observe"],
    ...layersOf(recorder),
    observe(notification, runtime) {
      const facts = factsOf(notification, runtime);
      if (facts !== undefined) recorder.note(facts, runtime);
    },
    close: () => delivery.close(),
  });
}

const kinds = Object.keys(acts) as readonly ActKind[];

/** The layers of all kinds that are recorded. */
const layersOf = (recorder: Recorder) =>
  Object.fromEntries(kinds.map((kind) => [kind, recordCalls(kind, recorder)])) as {
    readonly [K in ActKind]: MiddlewareProtocol<Invocation<K>>["process"];
  };
