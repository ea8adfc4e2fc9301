// Takes a turn of an agent, and ends by an error that nobody catches. It is told on standard input where things are.
import { text } from "node:stream/consumers";
import { setupTracing } from "@suite/tracing/node";
import { agents } from "./desk.mjs";

const { endpoint, where, how } = JSON.parse(await text(process.stdin));
setupTracing({ serviceName: "crashing", endpoint, metrics: false });
const { desk } = agents(where);
await desk.run("Is it there?", { sessionId: "crashed" });
setInterval(() => {}, 1000);
if (how === "rejection") void Promise.reject(new Error("crashed"));
else
  setImmediate(() => {
    throw new Error("crashed");
  });
