// Ends spans with as much content as there may be, while the collector at the given address is of no use, in a process
// of its own. It prints by how many live bytes it grew at most, and what it was warned of.
import { setTimeout as wait } from "node:timers/promises";
import { pii } from "@suite/pii";
import { setupTracing } from "@suite/tracing/node";

const SPANS = 2000;
/** A content of 65,536 characters outside Latin-1, each its own: the most that `tracing()` writes into one attribute. */
const content = (/** @type {number} */ i) => `${i} ${"情報は会社の外に出ません。".repeat(5000)}`.slice(0, 65_536);

const [, , endpoint, redacts] = process.argv;
/** @type {string[]} */
const warnings = [];
const { provider } = setupTracing({
  endpoint,
  metrics: false,
  warn: (message) => warnings.push(message),
  ...(redacts && { redactor: pii("email", { strategy: "redact" }).redactor }),
});
const tracer = provider.getTracer("test");

/** Bytes by which a heap differs from one collection to the next without a reason. */
const NOISE = 65_536;

const held = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/**
 * Live memory, in bytes. A request that has ended gives its buffers back some turns of the event loop and some
 * collections later, the more the less this process has of a CPU: counted is what several collections leave.
 */
async function used() {
  let least = held();
  for (let unchanged = 0; unchanged < 3; ) {
    await wait(1);
    const now = held();
    unchanged = now < least - NOISE ? 0 : unchanged + 1;
    least = Math.min(least, now);
  }
  return least;
}

const before = await used();
let most = 0;
for (let i = 0; i < SPANS; i++) {
  const attributes = {
    "gen_ai.system_instructions": content(i),
    "gen_ai.input.messages": content(i),
    "gen_ai.output.messages": content(i),
  };
  tracer.startSpan("chat", { attributes }).end();
  if (i % 10 === 0) await wait(1);
  if (i % 100 === 0) most = Math.max(most, (await used()) - before);
}
console.log(JSON.stringify({ grown: most, warnings }));
process.exit();
