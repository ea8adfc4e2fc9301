import { OpenAIProvider } from "@openai/agents";
import { startModelServer } from "@suite/testkit";

/** A model that needs no account: it looks the order up, hands over, has it refunded, and repeats personal data, cut in two. */
export async function deskModels() {
  const server = await startModelServer();
  server.script(
    { toolCalls: [{ name: "find_order", arguments: { order: "1002" } }], chunks: 5 },
    { toolCalls: [{ name: "transfer_to_cashier", arguments: {} }] },
    { text: "I will refund that. ", toolCalls: [{ name: "refund", arguments: { order: "1002" } }], chunks: 7 },
    { text: "Refunded to card 4111 1111 1111 1111. A receipt goes to omar@example.org.", chunks: 6 },
  );
  const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL: `${server.url}/v1` });
  return { modelProvider, close: () => server.close() };
}
