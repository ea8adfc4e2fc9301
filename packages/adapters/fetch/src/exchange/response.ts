import { eventStream } from "../sse/framing.js";

/** Headers that tell of a body as it was sent: of the one that is given out they would not be true. */
const ofBody = ["content-length", "content-encoding", "transfer-encoding"];

/** The statuses whose responses have no body, by the Fetch standard. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A response as another one was, with another body. It keeps the original's headers where they are true of that, the very
 * object: whoever catches a client's error may compare it.
 */
export function responseLike(
  original: Response | undefined,
  body: string | ReadableStream<Uint8Array>,
  contentType: string,
): Response {
  const { status = 200, statusText = "OK", url = "" } = original ?? {};
  const init = { status, statusText, ...(original !== undefined && { headers: original.headers }) };
  const response = new Response(bodiless.has(status) ? null : body, init);
  const { headers } = response;
  const sameKind = kindOf(original?.headers.get("content-type")) === kindOf(contentType);
  const keeps = sameKind && !ofBody.some((name) => headers.has(name));
  if (!keeps) for (const name of ofBody) headers.delete(name);
  if (!sameKind) headers.set("content-type", contentType);
  const own = { url: { value: url }, ...(keeps && { headers: { value: original?.headers } }) };
  return Object.defineProperties(response, own);
}

const kindOf = (contentType: string | null | undefined): string | undefined => contentType?.split(";", 1)[0]?.trim();

export const json = "application/json";

/** Errors when it is read, outside of the client's retries: what a layer threw reaches the user as it is, and once. */
export function throwing(error: unknown, asStream: boolean): Response {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) }, { highWaterMark: 0 });
  return responseLike(undefined, body, asStream ? eventStream.contentType : json);
}
