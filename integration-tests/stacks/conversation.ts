import { expect } from "@jest/globals";
import type { ModelAnswer, RecordedRequest } from "@suite/testkit";
import type { Receiver } from "../collector/receiver.js";

/** The value that no model server and no backend may receive. */
export const address = "jane@example.com";

const TOKEN = /<EMAIL_\d+_[a-z]{8}>/g;

/** A server that keeps its requests. */
interface Requests {
  readonly requests: readonly { readonly body: unknown }[];
}

/** The tokens in requests, each once. */
export const tokensIn = (requests: readonly { readonly body: unknown }[]): readonly string[] => [
  ...new Set(requests.flatMap(({ body }) => JSON.stringify(body).match(TOKEN) ?? [])),
];

/** A model that answers with the last token of its request. */
export function namesToken(request: RecordedRequest): ModelAnswer {
  const token = JSON.stringify(request.body).match(TOKEN)?.at(-1) ?? "unknown";
  return { text: `Your address is ${token}.`, chunks: 7 };
}

/** The user's view of an answer of `namesToken`. */
export const named = `Your address is ${address}.`;

/** Expects that the model server never got the address, and that all turns had the same token. */
export function expectOneToken({ requests }: Requests, count: number): void {
  expect(requests).toHaveLength(count);
  expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain(address);
  expect(tokensIn(requests)).toHaveLength(1);
}

/** Expects spans of the user and the session, without the address. Waits for a batch that is still to be sent. */
export async function expectSpans(spans: Receiver, user: string, session: string): Promise<void> {
  const attribute = (key: string, stringValue: string) => JSON.stringify({ key, value: { stringValue } });
  const has = (text: string): boolean => spans.bodies.some((body) => body.includes(text));
  const until = Date.now() + 10_000;
  while (!has(attribute("user.id", user)) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100));
  // Booleans, since a failed comparison of the bodies would print all of them.
  const found = [attribute("user.id", user), attribute("session.id", session), address].map(has);
  expect(found).toEqual([true, true, false]);
}
