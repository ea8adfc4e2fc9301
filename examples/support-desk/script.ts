import type { ModelAnswer } from "@suite/testkit";

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** The answers of the fake model: it looks the order up, refunds what came broken, and repeats personal data, cut in two. */
export function answerTo(body: unknown): ModelAnswer {
  const messages = (body as { messages: readonly ChatMessage[] }).messages;
  const asked = textOf(messages.findLast(({ role }) => role === "user"));
  const results = messages.filter(({ role }) => role === "tool").map(textOf);
  const order = /\b1\d{3}\b/.exec(asked)?.[0] ?? "1001";
  const wantsRefund = /refund/i.test(asked);
  if (results.length === 0) {
    const names = wantsRefund ? ["find_order", "refund_policy"] : ["find_order"];
    return { toolCalls: names.map((name) => ({ name, arguments: { order } })), chunks: 5 };
  }
  if (wantsRefund && results.length === 2) {
    return {
      text: "I will refund that. ",
      toolCalls: [{ name: "refund", arguments: { order, amount: 129 } }],
      chunks: 7,
    };
  }
  const answer = wantsRefund
    ? `Done: order ${order} was refunded to card 4111 1111 1111 1111. A receipt goes to omar@example.org.`
    : `Order ${order} is on its way. We wrote to jane.doe@example.com from 198.51.100.7, see https://shop.example.com/o/${order}.`;
  return { text: answer, chunks: 6 };
}

const textOf = (message: ChatMessage | undefined): string =>
  typeof message?.content === "string" ? message.content : JSON.stringify(message?.content ?? "");
