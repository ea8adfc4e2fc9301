import type { ModelAnswer, Responder } from "@suite/testkit";

/** A model that knows nothing but what it is told: it looks for a seat in what it was sent. */
export const model: Responder = ({ body }): ModelAnswer => {
  const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
  const asked = JSON.stringify(messages.at(-1)?.content ?? "");
  if (messages.at(-1)?.role === "tool") return { text: "Everything that I knew of you is gone." };
  if (asked.includes("forget me")) return { toolCalls: [{ name: "forget_me", arguments: {} }] };
  if (!asked.includes("?")) return { text: "I will remember that." };
  return { text: JSON.stringify(messages).includes("by the window") ? "By the window, as always." : "I do not know." };
};
