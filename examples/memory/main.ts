/**
 * An assistant that remembers its users across runs and processes, and forgets them on request, with a proof. With
 * `DATABASE_URL` it remembers in PostgreSQL, else in this process.
 */
import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { audit, fileSink } from "@suite/audit";
import type { StateStore } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import { memoryStateStore } from "@suite/kit/store";
import {
  conversations,
  createMemoryTable,
  inProcessMemory,
  type MemoryStore,
  memory,
  postgresMemory,
} from "@suite/memory";
import { pii } from "@suite/pii";
import { createTable, postgresStateStore } from "@suite/store-postgres";
import { startModelServer } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import OpenAI from "openai";
import pg from "pg";
import { model } from "./model.js";

const guard = pii({ email: "redact" });
const telemetry = setupTracing({ serviceName: "memory", redactor: guard.redactor, consoleTree: true });
const server = await startModelServer();
server.script(model);
const client = { baseURL: `${server.url}/v1`, apiKey: "none" };
const recording = audit({ sink: fileSink({ dir: "memory-output" }) });
const log = [tracing(), recording];

const pool = process.env.DATABASE_URL ? new pg.Pool({ connectionString: process.env.DATABASE_URL }) : undefined;
const { notes, histories } = pool === undefined ? inThisProcess() : await inPostgres(pool);

function inThisProcess(): { readonly notes: MemoryStore; readonly histories: StateStore } {
  return { notes: inProcessMemory(), histories: memoryStateStore() };
}

async function inPostgres(pool: pg.Pool): Promise<{ readonly notes: MemoryStore; readonly histories: StateStore }> {
  // `vectors: "pgvector"`, the default, is faster where that extension is there.
  await pool.query(createMemoryTable({ vectors: "arrays" }));
  await pool.query(createTable());
  // The client has the plugins: what is embedded is traced, and recorded.
  const { embeddings } = withPlugins(new OpenAI(client), log);
  const embed = async (texts: readonly string[]) =>
    (await embeddings.create({ model: "fake-embedding", input: [...texts] })).data.map(({ embedding }) => embedding);
  return { notes: postgresMemory(pool, { embed, vectors: "arrays" }), histories: postgresStateStore(pool) };
}

/** An assistant, as each process of a service has one. */
function assistant() {
  const remembering = memory({ store: notes });
  const history = conversations({ store: histories });
  const forgetMe = defineTool({
    name: "forget_me",
    description: "Forgets all that is known of the user, at the user's request.",
    execute: async (_, runtime) => {
      const { count } = await remembering.forget(runtime.userId ?? "", { plugins: log });
      if (runtime.sessionId !== undefined) await history.forget(runtime.sessionId);
      return `${count} notes were forgotten.`;
    },
  });
  const plugins = [...log, guard, remembering, history];
  const agent = createAgent({ name: "assistant", model: openai("fake-model", client), tools: [forgetMe], plugins });
  return { agent, remembering };
}

async function ask(userId: string, sessionId: string, question: string): Promise<void> {
  const { agent, remembering } = assistant();
  const result = await agent.run(question, { userId, sessionId });
  console.log(`${userId}: ${question}\n  ${result.status === "completed" ? result.text : "waits"}`);
  await remembering.settled(); // the user has had the answer before
}

await ask("ada", "monday", "I always sit by the window. Write to ada@mail.example.");
await ask("ada", "monday", "Where do I sit?"); // the conversation goes on
await ask("ada", "tuesday", "Where do I sit?"); // another conversation: this is the memory
await ask("bob", "tuesday-bob", "Where do I sit?");
await ask("ada", "tuesday", "Please forget me.");
await ask("ada", "wednesday", "Where do I sit?");

await recording.close?.();
await pool?.end();
await server.close();
await telemetry.shutdown();
