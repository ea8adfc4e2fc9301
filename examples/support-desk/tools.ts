import { readFile } from "node:fs/promises";
import { defineTool } from "@suite/agent";

interface Order {
  readonly status: string;
  readonly total: number;
}

const orders = async (): Promise<Record<string, Order>> =>
  JSON.parse(await readFile(new URL("../../support-desk/orders.json", import.meta.url), "utf8"));

const order = { type: "object", properties: { order: { type: "string" } }, required: ["order"] } as const;

/** The tools of the agent: two run here, the third in the payment system. */
export const tools = [
  defineTool({
    name: "find_order",
    description: "Status, total and contact of an order.",
    input: order,
    async execute(input) {
      const found = (await orders())[(input as { order: string }).order];
      if (found === undefined) throw new Error("There is no such order.");
      return found;
    },
  }),
  defineTool({
    name: "refund_policy",
    description: "Whether an order may be refunded, and how much.",
    input: order,
    async execute(input) {
      const found = (await orders())[(input as { order: string }).order];
      const allowed = found?.status === "delivered";
      return { allowed, amount: allowed ? found.total : 0 };
    },
  }),
  defineTool({
    name: "refund",
    description: "Refunds an order. Runs in the payment system.",
    input: {
      type: "object",
      properties: { order: { type: "string" }, amount: { type: "number" } },
      required: ["order", "amount"],
    },
  }),
];
