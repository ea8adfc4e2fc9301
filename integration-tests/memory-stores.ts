import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CallId, RuntimeContext } from "@suite/core";
import type { MemoryStore } from "@suite/memory";

const call: CallId = { id: "1", kind: "memory" };
const runtime = {} as RuntimeContext;

/** The call in which a test asks a store. */
export const asked = () => ({ signal: new AbortController().signal, runtime, call });
export const now = (): number => performance.timeOrigin + performance.now();

/** The words of a text as a vector: texts with words in common are near each other. */
export function embedWords(texts: readonly string[]): readonly (readonly number[])[] {
  return texts.map((text) => {
    const vector = Array.from({ length: 997 }, () => 0);
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      const at = [...word].reduce((sum, letter) => (sum * 131 + letter.charCodeAt(0)) % 997, 7);
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  });
}

/** Holds what every store of memories promises. Each test has users of its own. */
export function describeMemoryStore(name: string, open: () => MemoryStore | Promise<MemoryStore>): void {
  describe(`${name}, a store of memories`, () => {
    let store: MemoryStore;
    let users = 0;
    beforeAll(async () => {
      store = await open();
    });
    const user = () => `user ${++users} 'of' "it" \\`;
    const add = (scope: { user: string; agent?: string }, ...texts: readonly string[]) =>
      store.add(
        scope,
        texts.map((content) => ({ content })),
        { ...asked(), since: now() },
      );
    const found = async (scope: { user: string; agent?: string }, query: string, limit = 10) =>
      (await store.search(scope, query, limit, asked())).map(({ content }) => content);

    it("finds what fits best, first, and no more than it is to", async () => {
      const scope = { user: user() };
      await add(scope, "likes green tea", "has a dog in Turin", "green grass grows");
      expect((await found(scope, "green tea"))[0]).toBe("likes green tea");
      expect(await found(scope, "green tea", 1)).toEqual(["likes green tea"]);
      expect((await found(scope, "dog"))[0]).toBe("has a dog in Turin");
    });

    it("returns no records of another user, or of another agent if agents are separated", async () => {
      const [ada, bob] = [user(), user()];
      await add({ user: ada, agent: "cook" }, "likes green tea");
      await add({ user: ada, agent: "nurse" }, "sleeps well, likes tea");
      expect(await found({ user: bob }, "green tea")).toEqual([]);
      expect(await found({ user: ada, agent: "cook" }, "tea")).toEqual(["likes green tea"]);
      expect(await found({ user: ada }, "tea")).toHaveLength(2);
    });

    it("takes any text as it is", async () => {
      const scope = { user: user() };
      const texts = ["'; DROP TABLE tea; --", 'tea {"a": [1,2]}, \\x', "tea 🍵 Tee\nzwei"];
      await add(scope, ...texts);
      expect([...(await found(scope, "tea"))].sort()).toEqual([...texts].sort());
      expect(await found({ user: user() }, "' OR 1=1 --")).toEqual([]);
    });

    it("forgets a user, of all agents, and nothing of another's", async () => {
      const [ada, bob] = [user(), user()];
      await add({ user: ada, agent: "cook" }, "likes green tea");
      await add({ user: ada }, "likes tea");
      await add({ user: bob }, "likes tea");
      const count = await store.forget(ada, { ...asked(), at: now() });
      expect([2, undefined]).toContain(count);
      expect(await found({ user: ada }, "tea")).toEqual([]);
      expect(await found({ user: bob }, "tea")).toEqual(["likes tea"]);
      expect(await store.forget(user(), { ...asked(), at: now() })).toBe(count === undefined ? undefined : 0);
    });

    it("stores nothing from a question that began before the user was forgotten, and stores later ones", async () => {
      const scope = { user: user() };
      const since = now();
      await store.forget(scope.user, { ...asked(), at: now() });
      expect(await store.add(scope, [{ content: "likes tea" }], { ...asked(), since })).toEqual([]);
      expect(await found(scope, "tea")).toEqual([]);
      expect(await add(scope, "likes coffee")).toHaveLength(1);
      expect(await found(scope, "coffee")).toEqual(["likes coffee"]);
    });

    it("has forgotten a user when it says so, whatever is written at that moment", async () => {
      for (let round = 0; round < 10; round++) {
        const scope = { user: user() };
        const since = now();
        const writes = Array.from({ length: 8 }, (_, at) =>
          store.add(scope, [{ content: `tea ${at}` }], { ...asked(), since }),
        );
        const forgets = store.forget(scope.user, { ...asked(), at: now() });
        await Promise.all([...writes, forgets]);
        expect(await found(scope, "tea")).toEqual([]);
      }
    });
  });
}
