import { Agent, tool } from "@openai/agents";
import { z } from "zod";

const orders = new Map([
  ["1001", { status: "shipped", contact: "jane.doe@example.com", total: 49 }],
  ["1002", { status: "delivered", contact: "omar@example.org", total: 129 }],
]);

const parameters = z.object({ order: z.string() });

const findOrder = tool({
  name: "find_order",
  description: "Status, total and contact of an order.",
  parameters,
  execute: ({ order }) => orders.get(order) ?? { status: "unknown" },
});

const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  parameters,
  needsApproval: true,
  execute: ({ order }) => ({ refunded: order }),
});

const cashier = new Agent({
  name: "cashier",
  handoffDescription: "Refunds orders.",
  instructions: "Refund what was asked for.",
  tools: [refund],
});

/** Looks orders up, and hands over what costs money. */
export const desk = Agent.create({
  name: "support",
  instructions: "You are the support desk of a shop.",
  tools: [findOrder],
  handoffs: [cashier],
});
