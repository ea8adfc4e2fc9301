import {
  CoreError,
  definePlugin,
  type Final,
  type Invocation,
  type MiddlewareProtocol,
  type Settlement,
} from "@suite/core";
import { AuditError } from "../errors.js";
import { Delivery } from "../log/delivery/delivery.js";
import { fileSink } from "../log/delivery/file-sink.js";
import { WatchedSink } from "../log/delivery/watched-sink.js";
import { Composer } from "../record/compose.js";
import type { Facts } from "../record/facts.js";
import { hashedRedaction } from "../record/hashed-redaction.js";
import { compilePolicy } from "../record/policy.js";
import type { ActKind } from "../record/record.js";
import { userOf } from "../record/run-facts.js";
import { SealingSink } from "../subjects/sealing-sink.js";
import { emitWarning } from "../warnings.js";
import { type ActDescription, acts } from "./acts.js";
import { PolicyInForce } from "./in-force.js";
import { factsOf } from "./notifications.js";
import { type AuditOptions, checkAuditOptions, DEFAULT_DIR, once, positive } from "./options.js";
import { Recorder } from "./recorder.js";

/**
 * Creates the audit plugin. It writes one record before and one after each agent run, model call, tool call, question
 * to a person, request for embeddings, search of documents and operation on a memory. It also writes one for each
 * decision of a guard or another plugin, approval, suspension, resume, external result, limit and fault. By default a
 * tool runs only when the record of its intent is durable, and no content is recorded. `close` flushes.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`; in a call, `ERR_AUDIT_UNAVAILABLE` if a required record could not be
 * made durable
 *
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
    ...(subjects && {
      /** Erases the user's key. Earlier records of the user's runs can then no longer be read. */
      async forgetUser(user: string): Promise<number> {
        if (subjectOf !== userOf) {
          const advice = "Erase the subject by eraseSubject().";
          throw new AuditError("ERR_AUDIT_INVALID_OPTION", `subjectOf is a custom function. ${advice}`);
        }
        return (await subjects.erase(user)) === undefined ? 0 : 1;
      },
    }),
    close: () => delivery.close(),
  });
}

const kinds = Object.keys(acts) as readonly ActKind[];

/** The layers of all recorded kinds. */
const layersOf = (recorder: Recorder) =>
  Object.fromEntries(kinds.map((kind) => [kind, recordCalls(kind, recorder)])) as {
    readonly [K in ActKind]: MiddlewareProtocol<Invocation<K>>["process"];
  };

type Process<K extends ActKind> = MiddlewareProtocol<Invocation<K>>["process"];
type End<K extends ActKind> = Settlement<Final<K>>;

const DONE = { status: "completed" } as const;
/** The end of a call with a failed answer: nothing was thrown, and the message is content. */
const FAILED = { status: "failed" } as const;

/** Creates the layer for one kind of call. It records the intent before the call and the outcome exactly once. */
function recordCalls<K extends ActKind>(kind: K, recorder: Recorder): Process<K> {
  return async function audit(invocation, callNext) {
    const begun = begin(acts[kind] as ActDescription<K>, recorder, invocation);
    const end = begun instanceof Promise ? await begun : begun;
    try {
      await callNext();
      // The pipeline itself reports a missing answer.
      const isError = invocation.result?.isError === true;
      if (invocation.result) invocation.pipe({ settle: isError ? (settlement) => end(settlement, isError) : end });
      else await end({ status: "failed", error: new CoreError("ERR_NO_ANSWER", "Nothing has answered.") });
    } catch (error) {
      await end(thrown(error, invocation.runtime.signal));
      throw error;
    }
  };
}

/** Records the outcome of a call. `isError` is true if the answer reports a failure. */
type Ended<K extends ActKind> = (settlement: End<K>, isError?: boolean) => Promise<void> | undefined;

/**
 * Records the intent. Returns the function that records the outcome, in a promise only if the call must wait for the
 * intent. Throws or rejects if the call must not run, and records that too.
 */
function begin<K extends ActKind>(
  act: ActDescription<K>,
  recorder: Recorder,
  invocation: Invocation<K>,
): Ended<K> | Promise<Ended<K>> {
  const { runtime, request, call } = invocation;
  const run = recorder.runFacts(runtime);
  const details = act.details?.(request);
  const { type } = act;
  const operation = act.operation(invocation);
  const target = act.target(invocation);
  const end: Ended<K> = (settlement, isError) => {
    const { ended, content } = ending(act, settlement, isError);
    return recorder.outcome({ stage: "outcome", type, operation, target, call, details, ended, content }, run);
  };
  const refused = (error: unknown): never => {
    void end(thrown(error, runtime.signal));
    throw error;
  };
  try {
    const content = () => act.requestContent(request);
    const durable = recorder.intent(
      { stage: "intent", type, operation, target, call, details, ended: undefined, content },
      run,
    );
    return durable === undefined ? end : durable.then(() => end, refused);
  } catch (error) {
    return refused(error);
  }
}

function ending<K extends ActKind>(
  act: ActDescription<K>,
  settlement: End<K>,
  isError = false,
): Pick<Facts, "ended" | "content"> {
  if (settlement.status !== "completed") return { ended: settlement };
  // The final value is built only if a rule needs it.
  return { ended: isError ? FAILED : DONE, content: () => act.answered(settlement.final) };
}

const thrown = (error: unknown, signal: AbortSignal) =>
  signal.aborted && error === signal.reason
    ? ({ status: "cancelled", reason: error } as const)
    : ({ status: "failed", error } as const);
