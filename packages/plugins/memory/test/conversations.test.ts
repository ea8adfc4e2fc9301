import { describe, expect, it } from "@jest/globals";
import { type Message, message, type Notification, type StateStore, text, textOf } from "@suite/core";
import { PluginStack, type RunOptions } from "@suite/core/adapter";
import { memoryStateStore } from "@suite/kit/store";
import { type ConversationsOptions, conversations } from "@suite/memory";

/** An agent of one round with a history of its conversations. */
function agentOf(
  options: Partial<ConversationsOptions> = {},
  shorten?: (asked: readonly Message[]) => readonly Message[],
) {
  const store: StateStore = options.store ?? memoryStateStore();
  const history = conversations({ store, ...options });
  const told: Notification[] = [];
  const stack = new PluginStack([{ name: "ears", observe: (each) => void told.push(each) }, history]);
  const seen: (readonly string[])[] = [];
  const run = async (question: string, answer: string | Error, given: RunOptions = { sessionId: "s" }) => {
    const inner = stack.begin(given);
    try {
      const outcome = await stack.call("agent", inner, { messages: [message("user", question)] }, async (agent) => {
        const messages = shorten?.(agent.request.messages) ?? agent.request.messages;
        const round = await stack.call("reasoning", inner, { messages, tools: [] } as never, async (invocation) => {
          seen.push(messages.map(textOf));
          if (answer instanceof Error) throw answer;
          invocation.respond({ value: { message: message("assistant", [text(answer)]) } });
        });
        agent.respond({ value: await round.final() });
      });
      await outcome.final();
    } finally {
      await inner.end();
    }
  };
  const decisions = () => told.flatMap((each) => (each.type === "decision" ? [each.decision] : []));
  return { run, seen, history, stack, decisions };
}

describe("conversations", () => {
  it("give the next run of a session its history, and no other session", async () => {
    const { run, seen } = agentOf();
    await run("I am Ada.", "Hello.");
    await run("Who am I?", "Ada.");
    await run("Who am I?", "No idea.", { sessionId: "t" });
    await run("Who am I?", "No idea.", {});
    expect(seen).toEqual([["I am Ada."], ["I am Ada.", "Hello.", "Who am I?"], ["Who am I?"], ["Who am I?"]]);
  });

  it("keep nothing of a run that fails", async () => {
    const { run, history, decisions } = agentOf();
    await expect(run("Hello?", new Error("broken"))).rejects.toThrow("broken");
    expect([await history.messages("s"), decisions()]).toEqual([[], []]);
  });

  it("keep the summary that a run put in place of its history, and else add to it", async () => {
    const { run, history } = agentOf({}, (asked) =>
      asked.length > 3 ? [message("user", "summary"), ...asked.slice(-1)] : asked,
    );
    await run("1", "one");
    await run("2", "two");
    expect((await history.messages("s")).map(textOf)).toEqual(["1", "one", "2", "two"]);
    await run("3", "three");
    expect((await history.messages("s")).map(textOf)).toEqual(["summary", "3", "three"]);
  });

  it("store the original messages, even if a run shows others to its model", async () => {
    const { run, history } = agentOf({}, (asked) =>
      asked.map((each, at) => (at < asked.length - 2 ? message(each.role, "[cleared]") : each)),
    );
    for (const at of ["1", "2", "3"]) await run(at, `answer ${at}`);
    const kept = ["1", "answer 1", "2", "answer 2", "3", "answer 3"];
    expect((await history.messages("s")).map(textOf)).toEqual(kept);
  });

  it.each(["a session", "a user", "a user of whom nothing is known"])(
    "keep nothing of a run that was under way when %s was forgotten, but what is said afterwards",
    async (what) => {
      const { history, stack } = agentOf();
      const ids = { sessionId: "s", userId: "ada" };
      const begin = (question: string) => {
        const run = stack.begin(ids);
        let resume = () => {};
        const meanwhile = new Promise<void>((resolve) => {
          resume = resolve;
        });
        let began = () => {};
        const begun = new Promise<void>((resolve) => {
          began = resolve;
        });
        const call = stack.call("agent", run, { messages: [message("user", question)] }, async (agent) => {
          began();
          await meanwhile;
          agent.respond({ value: { message: message("assistant", [text("answer")]) } });
        });
        const end = async () => {
          resume();
          await (await call).final();
          await run.end();
        };
        return { begun, end };
      };
      if (what !== "a user of whom nothing is known") await begin("first").end();
      const underWay = begin("second");
      await underWay.begun;
      await (what === "a session" ? history.forget("s") : history.forgetUser("ada"));
      const afterwards = begin("third");
      await afterwards.begun;
      await underWay.end();
      expect((await history.messages("s", "ada")).map(textOf)).toEqual([]);
      await afterwards.end();
      expect((await history.messages("s", "ada")).map(textOf)).toEqual(["third", "answer"]);
    },
  );

  it("are their user's: another one is refused, also if the store may fail open", async () => {
    const { run, decisions } = agentOf({ onError: "open" });
    await run("I am Ada.", "Hello.", { sessionId: "s", userId: "ada" });
    const eve = run("Who am I?", "?", { sessionId: "s", userId: "eve" });
    await expect(eve).rejects.toMatchObject({ code: "ERR_MEMORY_USER" });
    expect(decisions()).toEqual(["kept", "refused"]);
  });

  it("begin anew if the store fails open, and fail the run if it fails closed", async () => {
    const store = { ...memoryStateStore(), get: () => Promise.reject(new Error("down")) };
    const closed = agentOf({ store });
    await expect(closed.run("Hello?", "Hi.")).rejects.toThrow("down");
    expect(closed.decisions()).toEqual(["fail_closed"]);
    const open = agentOf({ store, onError: "open" });
    await open.run("Hello?", "Hi.");
    expect(open.decisions()).toEqual(["fail_open", "write_failed"]);
  });

  it("are the outermost agent's: a sub-agent neither reads nor writes them", async () => {
    const { run, seen, stack, history } = agentOf();
    await run("I am Ada.", "Hello.");
    const outer = stack.begin({ sessionId: "s" });
    await run("Help.", "Helped.", { sessionId: "s", parent: outer });
    await outer.end();
    expect(seen[1]).toEqual(["Help."]);
    expect((await history.messages("s")).map(textOf)).toEqual(["I am Ada.", "Hello."]);
  });
});
