import type { IncomingMessage, ServerResponse } from "node:http";

/** The handler of one server's requests. */
export interface Service {
  /** Answers a request. Whatever it throws, also later, is passed to `refuse`. */
  answer(request: IncomingMessage, response: ServerResponse): unknown;
  /** Answers a request that failed, if nothing was sent yet. */
  refuse(response: ServerResponse, error: unknown): void;
}

/** Answers one request. The only place that catches: whatever is sent, the process continues. */
export async function answerWithin(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await service.answer(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else service.refuse(response, error);
  }
  // The rest of a body that was refused is read, so that the connection can carry the next request.
  request.resume();
}

/** Returns the address of a request. Returns `undefined` if it is invalid, such as `//`. */
export function urlOf({ url = "" }: IncomingMessage): URL | undefined {
  try {
    return new URL(url, "http://localhost");
  } catch {
    return undefined;
  }
}
