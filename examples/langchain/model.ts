import { ChatOpenAI } from "@langchain/openai";
import { startModelServer } from "@suite/testkit";

/** A model that needs no account: it looks the order up, has it refunded, and repeats personal data, cut in two. */
export async function deskModel() {
  const server = await startModelServer();
  server.script(
    { toolCalls: [{ name: "find_order", arguments: { order: "1002" } }], chunks: 5 },
    { text: "I will refund that. ", toolCalls: [{ name: "refund", arguments: { order: "1002" } }], chunks: 7 },
    { text: "Refunded to card 4111 1111 1111 1111. A receipt goes to omar@example.org.", chunks: 6 },
  );
  const model = new ChatOpenAI({ model: "fake-model", apiKey: "none", configuration: { baseURL: `${server.url}/v1` } });
  return { model, close: () => server.close() };
}
