import { jsonSchema, tool } from "ai";

const orders = new Map([
  ["1001", { status: "shipped", contact: "jane.doe@example.com", total: 49 }],
  ["1002", { status: "delivered", contact: "omar@example.org", total: 129 }],
]);

interface Order {
  readonly order: string;
}

interface Refund {
  readonly refunded: boolean;
}

const inputSchema = jsonSchema<Order>({
  type: "object",
  properties: { order: { type: "string" } },
  required: ["order"],
});

/** One tool that runs here, and one that runs in the payment system: it has no `execute`. */
export const tools = {
  find_order: tool({
    description: "Status, total and contact of an order.",
    inputSchema,
    execute: ({ order }: Order) => orders.get(order) ?? { status: "unknown" },
  }),
  refund: tool({
    description: "Refunds an order. Runs in the payment system.",
    inputSchema,
    outputSchema: jsonSchema<Refund>({ type: "object", properties: { refunded: { type: "boolean" } } }),
  }),
};
