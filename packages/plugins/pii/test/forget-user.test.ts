import { describe, expect, it } from "@jest/globals";
import { type Delta, type ModelRequest, message, type Plugin, textOf, toolCall } from "@suite/core";
import { PluginStack, type Run, type RunOptions } from "@suite/core/adapter";
import { type AsyncVault, memoryVault, pii, type UserVault, type Vault } from "@suite/pii";

const mail = "jane.doe@example.com";
const form = /<EMAIL_\d+_[a-z]{8}>/;
const request: ModelRequest = { model: "m", messages: [message("user", `I am ${mail}`)], tools: [] };

/** An asynchronous vault. Its writes wait for `open`. */
function slow(inner: UserVault, open: () => Promise<void> = async () => {}): AsyncVault {
  return {
    async: true,
    id: async (...of) => {
      await open();
      return inner.id(...of);
    },
    value: async (...of) => inner.value(...of),
    erase: async (...of) => inner.erase(...of),
    forgetUser: async (user) => inner.forgetUser(user),
  };
}

function bench(vault: Vault | AsyncVault) {
  const plugin = pii({ email: "tokenize" }, { vault }) as Plugin;
  const stack = new PluginStack([plugin]);
  const begin = (options: RunOptions = {}): Run => stack.begin({ sessionId: "s", userId: "ada", ...options });
  /** A model that repeats its request. Returns what it received, and what the caller receives. */
  const ask = async (run: Run) => {
    let seen = "";
    const outcome = await stack.call("model", run, request, async (invocation) => {
      seen = JSON.stringify(invocation.request.messages);
      const content = form.exec(seen)?.[0] ?? "no token";
      const delta: Delta = { type: "part", at: "0", part: { type: "text", content } };
      invocation.respond({
        stream: (async function* () {
          yield delta;
        })(),
      });
    });
    return { seen, answer: textOf((await outcome.final()).message) };
  };
  const suspend = async (run: Run) => {
    const outcome = await stack.call("agent", run, { messages: [] }, async (agent) => {
      agent.respond({ suspended: [{ reason: "external", part: toolCall("1", "t", {}) }] });
    });
    await outcome.final().catch(() => {});
    await outcome.settled;
  };
  const forget = async (user = "ada") => plugin.forgetUser?.(user);
  return { begin, ask, suspend, forget };
}

describe.each([
  ["a synchronous vault", (vault: UserVault) => vault],
  ["an asynchronous vault", (vault: UserVault) => slow(vault)],
])("forgetUser during a run with %s", (_, vaultOf) => {
  it("leaves nothing of the user when the run has ended, and the run goes on", async () => {
    const kept = memoryVault();
    const { begin, ask, forget } = bench(vaultOf(kept));
    const run = begin();
    await ask(run);
    expect(await forget()).toBe(1);
    const { seen, answer } = await ask(run);
    expect([seen.includes(mail), answer]).toEqual([false, mail]);
    await run.end();
    expect(kept.forgetUser("ada")).toBe(0);
  });

  it("leaves nothing of a run that is suspended afterwards", async () => {
    const kept = memoryVault();
    const { begin, ask, suspend, forget } = bench(vaultOf(kept));
    const run = begin();
    await forget();
    await ask(run);
    await suspend(run);
    await run.end();
    expect(kept.forgetUser("ada")).toBe(0);
  });

  it("keeps the values of runs that begin later, and of other users", async () => {
    const kept = memoryVault();
    const { begin, ask, forget } = bench(vaultOf(kept));
    const [before, bob] = [begin(), begin({ userId: "bob" })];
    for (const run of [before, bob]) await ask(run);
    await forget();
    const after = begin();
    for (const run of [before, bob, after]) expect((await ask(run)).answer).toBe(mail);
    for (const run of [before, bob, after]) await run.end();
    expect([kept.forgetUser("ada"), kept.forgetUser("bob")]).toEqual([1, 1]);
  });
});

it("forgetUser waits for writes of the user's runs that have begun", async () => {
  const kept = memoryVault();
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { begin, ask, forget } = bench(slow(kept, () => gate));
  const run = begin();
  const asked = ask(run);
  await new Promise((resolve) => setImmediate(resolve));
  const forgotten = forget();
  open();
  await Promise.all([asked, forgotten]);
  await run.end();
  expect(kept.forgetUser("ada")).toBe(0);
});
