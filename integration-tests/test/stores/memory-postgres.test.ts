import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "@suite/agent";
import { definePlugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import { createMemoryTable, memory, postgresMemory } from "@suite/memory";
import { pii } from "@suite/pii";
import { startModelServer } from "@suite/testkit";
import OpenAI from "openai";
import { scripted } from "../../../packages/agent/test/support.js";
import { asked, describeMemoryStore, embedWords, now } from "../../memory-stores.js";
import { withPostgres } from "../../postgres.js";
import { postgresForTests } from "./postgres-for-tests.js";

withPostgres("on a real PostgreSQL, with arrays", () => {
  const open = postgresForTests();
  const vectors = "arrays";
  const options = { embed: embedWords, vectors } as const;
  beforeAll(async () => {
    await open.pool.query(createMemoryTable({ vectors }));
  });

  describeMemoryStore("postgresMemory", () => postgresMemory(open.pool, options));

  it("has its tables in a schema, made as often as somebody likes, by many at once", async () => {
    await open.pool.query('CREATE SCHEMA "Agents"');
    const table = "Agents.notes";
    await Promise.all(Array.from({ length: 5 }, () => open.pool.query(createMemoryTable({ table, vectors }))));
    const store = postgresMemory(open.pool, { ...options, table });
    expect(store.id).toBe("Agents.notes");
    await store.add({ user: "ada" }, [{ content: "tea" }], { ...asked(), since: now() });
    expect(await store.search({ user: "ada" }, "tea", 1, asked())).toMatchObject([{ content: "tea", score: 1 }]);
  });

  it("compares no vectors of another model, and finds nothing below the least likeness", async () => {
    const store = postgresMemory(open.pool, options);
    await store.add({ user: "models" }, [{ content: "tea" }], { ...asked(), since: now() });
    const other = postgresMemory(open.pool, { ...options, embed: (texts) => texts.map(() => [1, 0, 0]) });
    expect(await other.search({ user: "models" }, "tea", 5, asked())).toEqual([]);
    const strict = postgresMemory(open.pool, { ...options, minScore: 0.9 });
    expect(await strict.search({ user: "models" }, "tea and much else", 5, asked())).toEqual([]);
    expect(await strict.search({ user: "models" }, "tea", 5, asked())).toHaveLength(1);
  });

  it("is in agents' way with all that a memory promises, and what it embeds is seen by `embedding` hooks, redacted", async () => {
    const model = await startModelServer();
    try {
      const seen: unknown[] = [];
      const watch = definePlugin({
        name: "watch",
        async embedding({ request }, callNext) {
          seen.push(...request.input);
          await callNext();
        },
      });
      const client = withPlugins(new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "none" }), [watch]);
      const embed = async (texts: readonly string[]) =>
        (await client.embeddings.create({ model: "m", input: [...texts] })).data.map(({ embedding }) => embedding);
      const remembering = memory({ store: postgresMemory(open.pool, { ...options, embed }) });
      const plugins = [remembering, pii({ email: "redact" })];
      const agent = createAgent({ name: "outer", model: scripted("Noted.", "Green tea."), plugins });
      await agent.run("I am ada@mail.example and like green tea.", { userId: "dora" });
      await remembering.settled();
      const done = await agent.run("What do I drink?", { userId: "dora" });
      expect(done).toMatchObject({ text: "Green tea." });
      await agent.close();
      const said = "I am [REDACTED_EMAIL] and like green tea.";
      expect(seen.slice(0, 3)).toEqual([said, `User: ${said}\nAssistant: Noted.`, "What do I drink?"]);
      expect(await remembering.forget("dora")).toMatchObject({ count: 2 });
    } finally {
      await model.close();
    }
  });

  it("leaves of a user who was forgotten a digest, and no id", async () => {
    const store = postgresMemory(open.pool, options);
    await store.add({ user: "carol" }, [{ content: "tea" }], { ...asked(), since: now() });
    await store.forget("carol", { ...asked(), at: now() });
    const { rows } = await open.pool.query("SELECT * FROM suite_memory_users");
    expect(JSON.stringify(rows)).not.toContain("carol");
    expect((await open.pool.query("SELECT 1 FROM suite_memory WHERE user_id = 'carol'")).rows).toEqual([]);
  });
});

describe("on a PostgreSQL with pgvector", () => {
  const pool = new PGlite({ extensions: { vector } });
  beforeAll(async () => {
    await pool.exec(createMemoryTable());
  }, 60_000);
  afterAll(() => pool.close());
  describeMemoryStore("postgresMemory", () => postgresMemory(pool, { embed: embedWords }));
});
