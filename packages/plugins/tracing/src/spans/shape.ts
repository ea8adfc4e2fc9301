import type { Attributes, Link, Span, SpanKind } from "@opentelemetry/api";
import type { Final, Kind, Request, RuntimeContext, Usage } from "@suite/core";
import type { ContentWriter } from "../content/writer.js";

/** A call as its span describes it: the request as this layer had it, or as the core got it in the end. */
export interface Described<K extends Kind> {
  readonly request: Request<K>;
  readonly runtime: RuntimeContext;
  /** A layer answered, or refused, in place of the model, the tool or whatever was to be called. */
  readonly unreached?: boolean;
}

/** A failure that an answer tells of. */
interface Failure {
  /** `error.type`. */
  readonly type: string;
  /** The description of the failure, in our words. */
  readonly description: string;
  /** The message in the answer's words, which are content. */
  readonly message?: string | undefined;
}

/**
 * The span of one kind of call: what it says, and when. What `identity`, `request` and `reply` give is redacted by who
 * writes it; what comes from a `ContentWriter` is redacted already.
 */
export interface SpanShape<K extends Kind> {
  readonly spanKind: SpanKind;
  /** Is told of each span of this kind when it has started. */
  started?(span: Span): void;
  /** The attributes at creation: what a sampler may decide on. */
  identity(call: Described<K>): Attributes;
  /** The name of the span, made of the attributes of `identity` after they were redacted. */
  name(identity: Attributes): string;
  /** Links to spans of other traces, known at creation. */
  links?(call: Described<K>): Link[];
  /** The rest of the request. */
  request(call: Described<K>): Attributes;
  requestContent(call: Described<K>, writer: ContentWriter): Attributes;
  /** The attributes of a call that was carried out, well or badly: not of one that was suspended. */
  ran?(call: Described<K>): Attributes;
  /** The attributes of a call that was suspended. */
  waits?(call: Described<K>): Attributes;
  /** The attributes of the whole answer, given at once or put together from what streamed. */
  reply(final: Final<K>, call: Described<K>): Attributes;
  replyContent(final: Final<K>, writer: ContentWriter): Attributes;
  /** The usage of an attempt that another took the place of. Default: its tokens. */
  usage?(usage: Usage | undefined, call: Described<K>): Attributes;
  /** The attribute that takes the seconds to the first chunk, where this call should have it. */
  firstChunk?(call: Described<K>): string | undefined;
  /** The conventions' name for exceptions of such calls in logs; `exception` where they have no word. */
  readonly exceptionEvent?: string;
  /** The event that tells in logs what the span does. */
  readonly detailsEvent?: string;
  /** The failure that an answer tells of itself; with `isError`, who answered says so. */
  failure?(final: Final<K>, isError: boolean): Failure | undefined;
  /** The attributes of an error that the call threw, in place of `error.type`. */
  thrown?(error: unknown): Attributes | undefined;
  /** True if a thrown error is the caller's, and no failure of what the span stands for. */
  isCallers?(error: unknown): boolean;
  /** True where a call that is only handed out is no span: it is made when the call has ended. */
  late?(call: Described<K>): boolean;
}
