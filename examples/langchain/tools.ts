import { tool } from "langchain";
import { z } from "zod";

const orders = new Map([
  ["1001", { status: "shipped", contact: "jane.doe@example.com", total: 49 }],
  ["1002", { status: "delivered", contact: "omar@example.org", total: 129 }],
]);

const schema = z.object({ order: z.string() });

/** One tool that runs here, and one that runs in the payment system: it is given no function. */
export const tools = [
  tool(({ order }) => orders.get(order) ?? { status: "unknown" }, {
    name: "find_order",
    description: "Status, total and contact of an order.",
    schema,
  }),
  tool({ name: "refund", description: "Refunds an order. Runs in the payment system.", schema }),
];
