// Expires a run that nobody resumed in time, as a job that goes through stored states does, in a process of its own.
import { text } from "node:stream/consumers";
import { setupTracing } from "@suite/tracing/node";
import { clerk } from "./agents.mjs";

const { endpoint, pending, where } = JSON.parse(await text(process.stdin));
const telemetry = setupTracing({ serviceName: "shop", endpoint, metrics: false });
const agent = clerk(where);
const expired = await agent.expire(pending);
await agent.close();
await telemetry.shutdown();
process.stdout.write(JSON.stringify(expired));
