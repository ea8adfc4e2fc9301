import { CodedError } from "@suite/core";

/** The error codes of @suite/fetch. Closed: a new code is a new minor version. */
export type FetchErrorCode =
  /** The server answered with an error status, or with an error in mid-stream. The client makes its own error of it. */
  | "ERR_FETCH_REFUSED"
  /** The request to a model is not a JSON object: no plugin can look at it, so it is not sent. */
  | "ERR_FETCH_REQUEST_UNREADABLE"
  /** The answer, or an event of it, is not JSON: no plugin can look at it, so it is not passed on. Of an event, the client makes its own error. */
  | "ERR_FETCH_ANSWER_UNREADABLE"
  /** One event of the answer is longer than what is buffered. */
  | "ERR_FETCH_EVENT_TOO_LONG"
  /** A layer made more or fewer texts, or embeddings, than there were: nobody could tell which is whose. */
  | "ERR_FETCH_EMBEDDING_COUNT"
  /** The request goes to a path of no known protocol, and such requests are refused. */
  | "ERR_FETCH_UNKNOWN_PATH"
  /** The client is none whose fetch can be replaced. */
  | "ERR_FETCH_NO_CLIENT";

/** The refusal of a server. */
export interface Refusal {
  /** The status of the response; that of a stream is 200 although it fails later. */
  readonly status: number;
  /** The error as the provider wrote it: a JSON body, or the data of an event. Guards treat it like any other value. */
  readonly body: unknown;
  /** The headers of the response, by which it may say when to come back. */
  readonly headers?: Headers | undefined;
}

/** The one error class of @suite/fetch. Layers meet it; users meet their client's own errors where the server refused. */
export class FetchError extends CodedError<FetchErrorCode> {
  static override readonly brand = Symbol.for("@suite/fetch/error");
  override readonly name = "FetchError";
  /** The HTTP status, set with `ERR_FETCH_REFUSED`. */
  readonly status?: number;
  /** The body, set with `ERR_FETCH_REFUSED`. May hold personal data. */
  readonly body?: unknown;
  /** The headers, set with `ERR_FETCH_REFUSED`, where the server answered with an error status. */
  readonly headers?: Headers;

  constructor(code: FetchErrorCode, message: string, options: ErrorOptions & { readonly refusal?: Refusal } = {}) {
    const { refusal, ...rest } = options;
    super(code, message, rest);
    if (refusal !== undefined) {
      this.status = refusal.status;
      this.body = refusal.body;
      if (refusal.headers !== undefined) this.headers = refusal.headers;
    }
  }
}

/** The server said no: with a status, or in the middle of its stream. */
export const refused = (status: number, body: unknown, headers?: Headers): FetchError =>
  new FetchError(
    "ERR_FETCH_REFUSED",
    status !== 200 ? `The model server answered with status ${status}.` : "The model server failed within its answer.",
    { refusal: { status, body, headers } },
  );
