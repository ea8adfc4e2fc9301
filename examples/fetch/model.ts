import { startModelServer } from "@suite/testkit";
import OpenAI from "openai";

/** A model that needs no account: it looks the order up, and repeats personal data, cut in two. */
export async function deskModel() {
  const server = await startModelServer();
  server.script(
    { toolCalls: [{ name: "find_order", arguments: { order: "1002" } }], chunks: 5 },
    { text: "It was paid with card 4111 1111 1111 1111. A copy of the bill goes to omar@example.org.", chunks: 6 },
  );
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1` });
  return { client, close: () => server.close() };
}
