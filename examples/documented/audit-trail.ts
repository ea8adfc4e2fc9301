/** A record of every call for compliance, as the audit of Ravi. */
import { createAgent, defineTool } from "@suite/agent";
import { audit, ed25519Signer, fileSink, generatePrivateKey, verify } from "@suite/audit";
import { scriptedModel } from "@suite/testkit";

// Records are on disk and signed before the run goes on; whoever has the public key finds a later change.
const plugins = [audit({ sink: fileSink({ dir: "log", signer: ed25519Signer(generatePrivateKey()) }) })];

const model = scriptedModel({ toolCalls: [{ name: "refund", arguments: { eur: 40 } }] }, "Done.");
const tools = [defineTool({ name: "refund", execute: () => "refunded" })];
const agent = createAgent({ name: "desk", model, tools, plugins });
await agent.run("Refund it.", { userId: "ada" });
await agent.close();
const { ok, records } = await verify("log");
console.log({ ok, records });
