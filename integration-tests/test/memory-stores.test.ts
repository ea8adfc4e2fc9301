import { describe, expect, it } from "@jest/globals";
import { inProcessMemory, type Mem0Client, mem0Memory, memory, postgresMemory } from "@suite/memory";
import { asked, describeMemoryStore, embedWords, now } from "../memory-stores.js";

interface Fact {
  readonly id: string;
  readonly memory: string;
  readonly userId: string;
  readonly agentId: string | undefined;
}

/** A client as mem0's is, with a memory of its own in the place of the paid service: it answers as that does. */
function mem0(): Mem0Client & { readonly facts: Fact[] } {
  const facts: Fact[] = [];
  return {
    facts,
    async search(query, { filters: { user_id, agent_id }, topK }) {
      const words = query.toLowerCase().split(/\P{L}+/u);
      const score = ({ memory }: Fact) => words.filter((word) => memory.toLowerCase().includes(word)).length;
      const of = facts.filter((each) => each.userId === user_id && (agent_id ?? each.agentId) === each.agentId);
      const found = of.filter((each) => score(each) > 0).sort((a, b) => score(b) - score(a));
      return { results: found.slice(0, topK).map(({ id, memory }) => ({ id, memory, score: 0.5 })) };
    },
    async add(messages, { userId, agentId }) {
      for (const { content } of messages) facts.push({ id: `${facts.length}`, memory: content, userId, agentId });
      return { status: "PENDING" };
    },
    async deleteAll({ userId }) {
      facts.splice(0, facts.length, ...facts.filter((each) => each.userId !== userId));
      return { message: "Memories deleted successfully!" };
    },
  };
}

describeMemoryStore("inProcessMemory", () => inProcessMemory());
describeMemoryStore("mem0Memory", () => mem0Memory(mem0()));

describe("inProcessMemory", () => {
  const keep = (store: ReturnType<typeof inProcessMemory>, user: string, content: string): void => {
    void store.add({ user }, [{ content }], { ...asked(), since: now() });
  };

  it("lets the oldest of a user go, and refuses more of all than it may have", () => {
    const store = inProcessMemory({ maxPerUser: 2, maxRecords: 3 });
    for (const each of ["tea one", "tea two", "tea three"]) keep(store, "ada", each);
    const found = store.search({ user: "ada" }, "tea", 10, asked()) as readonly { readonly content: unknown }[];
    expect(found.map(({ content }) => content).sort()).toEqual(["tea three", "tea two"]);
    keep(store, "bob", "tea");
    expect(() => keep(store, "eve", "tea")).toThrow(expect.objectContaining({ code: "ERR_MEMORY_FULL" }));
    keep(store, "ada", "tea four"); // in the place of an older one
    void store.forget("ada", { ...asked(), at: now() });
    keep(store, "eve", "tea");
  });

  it("finds words of scripts that put no space between them", () => {
    const store = inProcessMemory();
    keep(store, "ada", "我对花生过敏");
    expect(store.search({ user: "ada" }, "花生", 10, asked())).toHaveLength(1);
  });

  it("is fast with long and hostile queries", () => {
    const store = inProcessMemory();
    for (let at = 0; at < 200; at++) keep(store, "ada", `note ${at} of many words like tea and ${"a".repeat(at)}`);
    const start = performance.now();
    for (const query of ["a".repeat(1e6), "tea ".repeat(1e5), "*~\"'()".repeat(1e4)]) {
      void store.search({ user: "ada" }, query, 5, asked());
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("stores that are given what they cannot use", () => {
  it("say so when they are made", () => {
    for (const make of [
      () => inProcessMemory({ maxPerUser: 0 }),
      () => mem0Memory({} as never),
      () => postgresMemory({} as never, { embed: embedWords }),
      () => postgresMemory({ query: async () => ({ rows: [] }) }, {} as never),
      () => postgresMemory({ query: async () => ({ rows: [] }) }, { embed: embedWords, table: "a;b" }),
      () => postgresMemory({ query: async () => ({ rows: [] }) }, { embed: embedWords, minScore: Number.NaN }),
      () => memory({ store: {} as never }),
    ]) {
      expect(make).toThrow(expect.objectContaining({ code: "ERR_MEMORY_OPTION" }));
    }
  });

  it.each([[[]], [[[1], [2]]], [[["1"]]], [[[Number.NaN]]], [undefined]])(
    "take no vectors that are none: %j",
    async (vectors) => {
      const query = () => Promise.reject(new Error("asked"));
      const store = postgresMemory({ query }, { embed: () => vectors as never });
      const found = async () => store.search({ user: "ada" }, "tea", 1, asked());
      await expect(found()).rejects.toMatchObject({ code: "ERR_MEMORY_ANSWER" });
    },
  );

  it("take no answer of a client that is none", async () => {
    const store = mem0Memory({ ...mem0(), search: async () => [] as never });
    const found = async () => store.search({ user: "ada" }, "tea", 1, asked());
    await expect(found()).rejects.toMatchObject({ code: "ERR_MEMORY_ANSWER" });
  });
});
