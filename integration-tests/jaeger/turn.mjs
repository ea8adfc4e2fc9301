// One turn of the clerk, in a process of its own. What to do is told on standard input; how it ended, on standard output.
import { text } from "node:stream/consumers";
import { setupTracing } from "@suite/tracing/node";
import { clerk } from "./agents.mjs";

const { endpoint, input, stream, sessionId, where } = JSON.parse(await text(process.stdin));
const telemetry = setupTracing({ serviceName: "shop", endpoint, metrics: false });
const agent = clerk(where);

async function streamed() {
  const run = agent.stream(input, { sessionId });
  for await (const _ of run);
  return run.result;
}

const ended = await (stream ? streamed() : agent.run(input, { sessionId })).then(
  ({ status, pending }) => ({ status, pending }),
  ({ code, message }) => ({ status: "failed", code, message }),
);
await agent.close();
await telemetry.shutdown();
process.stdout.write(JSON.stringify(ended));
