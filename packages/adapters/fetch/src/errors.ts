import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/fetch. Closed: a new code is a new minor version. */
export type FetchErrorCode =
  /**
   * The server answered with an error status, or with an error in the middle of a stream. The client creates its error
   * from it.
   */
  | "ERR_FETCH_REFUSED"
  /** The request to a model is not a JSON object. No plugin can inspect it, so it is not sent. */
  | "ERR_FETCH_REQUEST_UNREADABLE"
  /**
   * The response, or one event of it, is not JSON. No plugin can inspect it, so it is not passed on. For an event, the
   * client creates the error that users see.
   */
  | "ERR_FETCH_ANSWER_UNREADABLE"
  /** One event of the response is longer than the buffer limit. */
  | "ERR_FETCH_EVENT_TOO_LONG"
  /** A layer changed the number of strings or embeddings, so they can no longer be matched by position. */
  | "ERR_FETCH_EMBEDDING_COUNT"
  /** The path of the request belongs to no known protocol, and `others` is `"refuse"`. */
  | "ERR_FETCH_UNKNOWN_PATH"
  /** The value is not a client whose `fetch` can be replaced. */
  | "ERR_FETCH_NO_CLIENT";

/** The error response of a server. */
export interface Refusal {
  /** The status of the response. It is 200 if a stream fails after it has started. */
  readonly status: number;
  /**
   * The error in the form of the provider: a JSON body, or the data of an event. Guards inspect it like any other
   * value.
   */
  readonly body: unknown;
  /** The headers of the response. They may contain the time to wait before a retry. */
  readonly headers?: Headers | undefined;
}

/**
 * The error class of @suite/fetch. Layers receive it. If the server returned an error, users get the error of their
 * client.
 */
export class FetchError extends codedError<FetchErrorCode>("FetchError", "@suite/fetch/error") {
  /** The HTTP status, set with `ERR_FETCH_REFUSED`. */
  readonly status?: number;
  /** The body, set with `ERR_FETCH_REFUSED`. May hold personal data. */
  readonly body?: unknown;
  /** The headers, set with `ERR_FETCH_REFUSED` if the server answered with an error status. */
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

/** Creates the error for a refusal by the server. Status 200 means that the stream failed after it had started. */
export const refused = (status: number, body: unknown, headers?: Headers): FetchError =>
  new FetchError(
    "ERR_FETCH_REFUSED",
    status !== 200
      ? `The model server answered with status ${status}.`
      : "The model server reported an error during its response.",
    { refusal: { status, body, headers } },
  );
