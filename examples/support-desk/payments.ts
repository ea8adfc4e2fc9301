/**
 * The payment system: another process. It is given one pending call on standard input, and answers on standard output.
 * It never sees the conversation.
 */
import { text } from "node:stream/consumers";

const call = JSON.parse(await text(process.stdin)) as { arguments: { order: string; amount: number } };
process.stdout.write(JSON.stringify({ refunded: call.arguments.amount, receipt: `R-${call.arguments.order}` }));
