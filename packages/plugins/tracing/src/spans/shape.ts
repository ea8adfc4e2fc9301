import type { Attributes, Link, Span, SpanKind } from "@opentelemetry/api";
import type { Final, Kind, Request, RuntimeContext, Usage } from "@suite/core";
import type { ContentWriter } from "../content/writer.js";

/** A call as its span describes it, with the request of this layer or the one that core finally executed. */
export interface Described<K extends Kind> {
  readonly request: Request<K>;
  readonly runtime: RuntimeContext;
  /** True if a layer answered or refused the call, so that the model or tool was not called. */
  readonly unreached?: boolean;
}

/** A failure that is reported in an answer. */
interface Failure {
  /** `error.type`. */
  readonly type: string;
  /** The description of the failure, in fixed words. */
  readonly description: string;
  /** The message from the answer, which is content. */
  readonly message?: string | undefined;
}

/**
 * The attributes of the span of one kind of call, by stage. The caller redacts the results of `identity`, `request` and
 * `reply`. Strings of a `ContentWriter` are already redacted.
 */
export interface SpanShape<K extends Kind> {
  readonly spanKind: SpanKind;
  /** Called with each span of this kind when it has started. */
  started?(span: Span): void;
  /** The attributes at creation, which samplers can use. */
  identity(call: Described<K>): Attributes;
  /** The name of the span, built from the redacted attributes of `identity`. */
  name(identity: Attributes): string;
  /** Links to spans of other traces, known at creation. */
  links?(call: Described<K>): Link[];
  /** The other attributes of the request. */
  request(call: Described<K>): Attributes;
  requestContent(call: Described<K>, writer: ContentWriter): Attributes;
  /** The attributes of a call that was executed, successfully or not. Not used for a suspended call. */
  ran?(call: Described<K>): Attributes;
  /** The attributes of a call that was suspended. */
  waits?(call: Described<K>): Attributes;
  /** The attributes of the whole answer, whether streamed or not. */
  reply(final: Final<K>, call: Described<K>): Attributes;
  replyContent(final: Final<K>, writer: ContentWriter): Attributes;
  /** The usage of an attempt that was replaced by another. Default: its tokens. */
  usage?(usage: Usage | undefined, call: Described<K>): Attributes;
  /** The attribute for the seconds to the first chunk. Returns `undefined` if the call does not record them. */
  firstChunk?(call: Described<K>): string | undefined;
  /** The conventions' name for exceptions of such calls in logs. Default `exception`. */
  readonly exceptionEvent?: string;
  /** The name of the log event that describes the call like its span. */
  readonly detailsEvent?: string;
  /** The failure that an answer reports. `isError` is true if the tool or layer that answered reported one. */
  failure?(final: Final<K>, isError: boolean): Failure | undefined;
  /** The attributes of a thrown error, instead of `error.type`. */
  thrown?(error: unknown): Attributes | undefined;
  /** Returns true if a thrown error is the caller's, so that the operation of the span did not fail. */
  isCallers?(error: unknown): boolean;
  /** Returns true if the span is created when the call has ended, so that a suspended call has none. */
  late?(call: Described<K>): boolean;
}
