// Resumes runs that wait for a tool elsewhere, in a process of its own: it is given them on standard input.
import { text } from "node:stream/consumers";
import { result } from "@suite/agent";
import { setupTracing } from "@suite/tracing/node";
import { everything } from "../planted.mjs";
import { agents } from "./desk.mjs";

const { endpoint, waiting } = JSON.parse(await text(process.stdin));
const telemetry = setupTracing({ serviceName: "collector-test", endpoint });
for (const { where, pending } of waiting) {
  const { desk } = agents(where);
  const decisions = pending.calls.map((call) => result(call, { shipped: everything }));
  const resumed = await desk.run({ pending, decisions });
  if (resumed.status !== "completed") throw new Error("the resumed run did not end");
  await desk.close();
}
await telemetry.shutdown();
