import { type Attributes, type Context, context, diag, type Span, SpanStatusCode } from "@opentelemetry/api";
import { type Final, type Kind, MiddlewareTermination, type Redactor, type Settlement } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { errorStatusOf, errorTypeOf } from "@suite/kit/errors";
import {
  abortType,
  causeType,
  DENIED,
  isAborted,
  isLetGo,
  messageWithCause,
  REFUSED,
  wasAborted,
} from "../attributes/errors.js";
import { SUITE } from "../attributes/own-names.js";
import { put, redactAttributes } from "../attributes/redact.js";
import { ATTR } from "../attributes/semconv.js";
import type { ContentWriter } from "../content/writer.js";
import type { SpanRecord } from "../context/record.js";
import type { CallDetails, WriteContent } from "../logs/details.js";
import { recordException } from "../logs/exception.js";
import type { EventRoute } from "../logs/route.js";
import type { Described, SpanShape } from "./shape.js";

/**
 * The span of one call, from its start to its end. The status follows OpenTelemetry: it is unset on success, and an
 * error if the call threw. An aborted call throws the abort's reason, so that it is an error. A consumer that stops
 * reading and a suspension are not errors.
 */
export class CallSpan<K extends Kind> implements SpanRecord {
  open = true;
  refused = false;
  #endTime: number | undefined;
  #received: Described<K>;

  constructor(
    readonly span: Span,
    readonly context: Context,
    readonly shape: SpanShape<K>,
    /** The call as it started. */
    readonly call: Described<K>,
    readonly redactor: Redactor | undefined,
    readonly writer: ContentWriter | undefined,
    readonly exceptions: EventRoute,
    readonly details: CallDetails | undefined,
  ) {
    this.#received = call;
  }

  /** Runs a function while this span is current. */
  around<T>(work: () => Promise<T>): Promise<T> {
    return context.with(this.context, work);
  }

  /** True if attributes are recorded: the span is sampled, or log details are on. */
  get isRecording(): boolean {
    return this.span.isRecording() || this.details !== undefined;
  }

  /** Adds attributes of the call, redacted. */
  setAttributes(attributes: Attributes): void {
    this.#write(redactAttributes(attributes, this.redactor));
  }

  /** Adds the request as the core received it: inner layers may have changed it. */
  describe(received: Described<K>): void {
    if (!this.isRecording) return;
    this.#received = received;
    this.#safely(() => {
      if (received.request !== this.call.request) {
        const identity = redactAttributes(this.shape.identity(received), this.redactor);
        this.#write(identity);
        this.span.updateName(this.shape.name(identity));
      }
      this.setAttributes(this.shape.request(received));
      this.#writeContent((writer) => this.shape.requestContent(received, writer));
    });
  }

  /** Sets the end time: the work is done, although the answer may be read later. */
  answered(at: number = performance.now()): void {
    this.#endTime = at;
  }

  /**
   * Ends the span with the settlement of its answer.
   *
   * @param isError true if the layer or the tool that answered reported a failure.
   */
  settle(settlement: Settlement<Final<K>>, isError = false): void {
    if (settlement.status === "failed") this.fail(settlement.error);
    else if (settlement.status === "cancelled") this.#cancelled(settlement.reason);
    else if (settlement.status === "suspended") this.#end(() => this.#suspended(settlement.pending));
    else this.#end(() => this.#completed(settlement.final, isError));
  }

  /** Ends the span of a call that is still open when its run ends. It counts as aborted if the run was. */
  abandon(): void {
    const { signal } = this.call.runtime;
    this.settle({ status: "cancelled", reason: signal.aborted ? signal.reason : undefined });
  }

  /** Ends the span with the thrown error. */
  fail(error: unknown): void {
    this.#end(() => {
      const { runtime } = this.call;
      if (isLetGo(error, runtime.signal)) {
        this.#ran({ [SUITE.status]: "cancelled" });
        return;
      }
      if (isAborted(runtime.signal)) {
        this.#ran({ [SUITE.status]: "cancelled", [ATTR.errorType]: abortType(error) });
      } else if (MiddlewareTermination.is(error)) {
        this.#ran({ [SUITE.status]: "terminated", [ATTR.errorType]: errorTypeOf(error) });
      } else {
        const thrown = this.shape.thrown?.(error);
        if (this.shape.isCallers?.(error) === true) {
          this.#ran(thrown ?? {});
          return;
        }
        const failed: Attributes = thrown ?? { [ATTR.errorType]: errorTypeOf(error) };
        put(failed, SUITE.errorCause, causeType(error));
        put(failed, SUITE.errorStatus, errorStatusOf(error));
        this.#ran(failed);
        const recorded = { error, runtime, redactor: this.redactor, logName: this.shape.exceptionEvent };
        recordException(this.exceptions, this, recorded);
      }
      this.#error(messageWithCause(error));
    });
  }

  #cancelled(reason: unknown): void {
    if (wasAborted(reason, this.call.runtime.signal)) this.fail(reason);
    else this.#end(() => this.#ran({ [SUITE.status]: "cancelled" }));
  }

  #completed(final: Final<K>, isError: boolean): void {
    this.setAttributes(this.shape.reply(final, this.#received));
    const failure = this.shape.failure?.(final, isError);
    if (failure === undefined) this.#ran({});
    else if (this.refused) this.#ran({ [SUITE.status]: "denied", [ATTR.errorType]: DENIED });
    else if (!this.#ran({ [ATTR.errorType]: failure.type }))
      this.#error((this.writer && failure.message) ?? failure.description);
    if (failure !== undefined && this.refused) this.#error(REFUSED);
    this.#writeContent((writer) => this.shape.replyContent(final, writer));
  }

  #suspended(pending: readonly Pending[]): void {
    this.setAttributes({ [SUITE.status]: "suspended", ...this.shape.waits?.(this.#received) });
    for (const [reason, tools, callIds] of PENDING) {
      const parts = pending.filter((each) => each.reason === reason).map(({ part }) => part);
      if (parts.length > 0)
        this.setAttributes({ [tools]: parts.map(({ name }) => name), [callIds]: parts.map(({ id }) => id) });
    }
  }

  /** Adds the attributes of a call that has ended. Returns true if a person refused it. */
  #ran(attributes: Attributes): boolean {
    this.setAttributes(this.#received.unreached === true ? { ...attributes, [SUITE.reached]: false } : attributes);
    const ran = this.shape.ran?.(this.#received);
    if (ran === undefined) return false;
    this.setAttributes(ran);
    // Also if the refused call was cancelled, or a layer answered it.
    const refused = ran[ATTR.errorType] !== undefined;
    if (refused) this.#error(REFUSED);
    return refused;
  }

  #error(message: string): void {
    const redacted = this.redactor?.redact(message) ?? message;
    this.span.setStatus({ code: SpanStatusCode.ERROR, ...(redacted !== "" && { message: redacted }) });
  }

  /** Ends the span once. An error in the last attributes does not keep it open. */
  #end(last: () => void): void {
    if (!this.open) return;
    if (this.isRecording || this.exceptions.logs) {
      this.#safely(last);
      if (this.writer?.truncated === true) this.setAttributes({ [SUITE.contentTruncated]: true });
    }
    if (this.details !== undefined) this.#safely(() => this.details?.emit(this.context, this.#endTime ?? Date.now()));
    this.open = false;
    this.span.end(this.#endTime);
  }

  #write(attributes: Attributes): void {
    this.span.setAttributes(attributes);
    this.details?.add(attributes);
  }

  #writeContent(write: WriteContent): void {
    const written = this.writer && write(this.writer);
    if (written !== undefined) this.span.setAttributes(written);
    this.details?.addContent(write, written);
  }

  /** Runs a write. A request or an answer of another shape than its type must not disturb the call. */
  #safely(write: () => void): void {
    try {
      write();
    } catch (error) {
      diag.error(`@suite/tracing: a span could not be written in full (${errorTypeOf(error)})`);
    }
  }
}

const PENDING: readonly (readonly [Pending["reason"], string, string])[] = [
  ["approval", SUITE.pendingApprovalTools, SUITE.pendingApprovalCallIds],
  ["external", SUITE.pendingExternalTools, SUITE.pendingExternalCallIds],
  ["input", SUITE.pendingInputTools, SUITE.pendingInputCallIds],
];
