const orders = new Map([
  ["1001", { status: "shipped", contact: "jane.doe@example.com", total: 49 }],
  ["1002", { status: "delivered", contact: "omar@example.org", total: 129 }],
]);

/** A tool as the client's own runner takes it. */
export const findOrder = {
  type: "function" as const,
  function: {
    name: "find_order",
    description: "Status, total and contact of an order.",
    parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    parse: (json: string): { readonly order: string } => JSON.parse(json),
    function: ({ order }: { readonly order: string }): object => orders.get(order) ?? { status: "unknown" },
  },
};
