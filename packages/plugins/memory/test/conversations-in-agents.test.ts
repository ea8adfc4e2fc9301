import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { summarization } from "@suite/context";
import { type Message, MiddlewareTermination, type Plugin, textOf, toolCallsOf } from "@suite/core";
import { unansweredCalls } from "@suite/core/messages";
import { memoryStateStore } from "@suite/kit/store";
import { type ConversationsOptions, conversations } from "@suite/memory";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { call, only, type Said, scripted, suspended } from "../../../agent/test/support.js";

const shown = (messages: readonly Message[] | undefined) => (messages ?? []).map((each) => textOf(each));

function setUp(rounds: readonly Said[], options: Partial<ConversationsOptions> = {}, plugins: readonly Plugin[] = []) {
  const { store = memoryStateStore() } = options;
  const told: string[] = [];
  const observe: Plugin["observe"] = (each) => void (each.type === "decision" && told.push(each.decision));
  const history = conversations({ store, ...options });
  const model = scripted(...rounds);
  const look = defineTool({ name: "look", execute: () => "found" });
  const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const tools = [look, pay];
  const keys = [{ id: "k", secret: "s".repeat(32) }];
  const all = [{ name: "ears", observe }, history, ...plugins];
  const agent = createAgent({ name: "outer", model, tools, plugins: all, resume: { keys } });
  return { agent, model, history, store, told };
}

const s = { sessionId: "s" };

describe.each(["run", "stream"] as const)("conversations in @suite/agent (%s)", (mode) => {
  type Agent = ReturnType<typeof setUp>["agent"];
  const ask = (agent: Agent, input: Parameters<Agent["run"]>[0], options: Parameters<Agent["run"]>[1] = s) =>
    mode === "run" ? agent.run(input, options) : agent.stream(input, options).result;

  it("lets the next run of a session go on by itself, with calls and their results, and no other session", async () => {
    const { agent, model, history } = setUp([[call("1", "look")], "Here.", "Again.", "Who?"]);
    await ask(agent, "Where?");
    await ask(agent, "And now?");
    await ask(agent, "Other.", { sessionId: "t" });
    expect(model.asked[2]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(shown(model.asked[2]?.messages)).toEqual(["Where?", "", "", "Here.", "And now?"]);
    expect(unansweredCalls(model.asked[2]?.messages ?? [])).toEqual([]);
    expect(shown(model.asked[3]?.messages)).toEqual(["Other."]);
    expect(shown(await history.messages("s")).slice(-2)).toEqual(["And now?", "Again."]);
  });

  it("goes on in another process that shares the store", async () => {
    const first = setUp(["Hello Ada."]);
    await ask(first.agent, "I am Ada.");
    const second = setUp(["Ada."], { store: first.store });
    await ask(second.agent, "Who am I?");
    expect(shown(second.model.asked[0]?.messages)).toEqual(["I am Ada.", "Hello Ada.", "Who am I?"]);
  });

  it("is left as it was by a run that fails, and by one that is aborted", async () => {
    const { agent, history } = setUp(["One.", new Error("away"), [call("1", "look")]]);
    await ask(agent, "1");
    const before = await history.messages("s");
    await expect(ask(agent, "2")).rejects.toThrow("away");
    await expect(ask(agent, "3", { ...s, signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    await expect(ask(agent, "4")).rejects.toThrow("the script has"); // behind a tool call
    expect(await history.messages("s")).toEqual(before);
  });

  it("has a run that waited for a person when it is complete, once, behind what was said meanwhile", async () => {
    const { agent, model, history } = setUp([[call("1", "pay")], "Meanwhile.", "It is paid.", "Yes."]);
    const pending = await suspended(ask(agent, "Pay."));
    expect(await history.messages("s")).toEqual([]);
    await ask(agent, "Hello?");
    await ask(agent, { pending, decisions: [approve(only(pending))] }, {});
    expect(shown(model.asked[2]?.messages)).toEqual(["Pay.", "", ""]);
    await ask(agent, "Really?");
    expect(shown(model.asked[3]?.messages)).toEqual(["Hello?", "Meanwhile.", "Pay.", "", "", "It is paid.", "Really?"]);
    expect(unansweredCalls(model.asked[3]?.messages ?? [])).toEqual([]);
  });

  it("keeps the turns of runs of one session at once, each whole", async () => {
    const { agent, history } = setUp(Array.from({ length: 20 }, (_, at) => `a${at}`));
    const asked = Array.from({ length: 20 }, (_, at) => `q${at}`);
    await Promise.all(asked.map((each) => ask(agent, each)));
    const all = shown(await history.messages("s"));
    expect(all.filter((_, at) => at % 2 === 0).sort()).toEqual([...asked].sort());
    expect(all.filter((_, at) => at % 2 === 1).every((each) => each.startsWith("a"))).toBe(true);
  });

  it("is bounded: its oldest turns go, whole, and what is too large by itself is not kept, and told", async () => {
    const rounds: Said[] = Array.from({ length: 4 }, () => [[call("1", "look")], "Here."] as Said[]).flat();
    const { agent, history } = setUp(rounds, { maxMessages: 7 });
    for (const at of [1, 2, 3]) await ask(agent, `q${at}`);
    const kept = await history.messages("s");
    expect(shown(kept)).toEqual(["q3", "", "", "Here."]);
    const small = setUp(["x".repeat(500), "ok"], { maxCharacters: 300 });
    await ask(small.agent, "long");
    await ask(small.agent, "short");
    expect(shown(await small.history.messages("s"))).toEqual(["short", "ok"]);
    expect(small.told).toEqual(["too_large", "kept"]);
  });

  it("keeps a summary in the place of what it stands for", async () => {
    const short = summarization({ trigger: { messages: 4 }, keep: { messages: 1 } });
    const { agent, history } = setUp(["1", "2", "They talked.", "3"], {}, [short]);
    for (const each of ["a", "b", "c"]) await ask(agent, each);
    const kept = shown(await history.messages("s"));
    expect(kept).toEqual([expect.stringContaining("They talked."), "c", "3"]);
  });

  it("is what the user was told, where a layer ended the run or changed the answer", async () => {
    const ends: Plugin = {
      name: "ends",
      async tool() {
        throw new MiddlewareTermination("enough", { reply: "It ends here." });
      },
    };
    const { agent, history } = setUp([[call("1", "look")]], {}, [ends]);
    const done = await ask(agent, "Go.");
    expect(done).toMatchObject({ text: "It ends here." });
    const kept = await history.messages("s");
    expect(shown(kept)).toEqual(["Go.", "It ends here."]);
    expect(kept.flatMap(toolCallsOf)).toEqual([]);
  });

  it("is of one user: another cannot go on with it", async () => {
    const { agent, model, history, told } = setUp(["Noted.", "Who?"]);
    await ask(agent, "I am Ada.", { ...s, userId: "ada" });
    for (const userId of ["bob", ""]) {
      await expect(ask(agent, "Who am I?", { ...s, userId })).rejects.toMatchObject({ code: "ERR_MEMORY_USER" });
    }
    expect(model.asked).toHaveLength(1);
    expect(told).toEqual(["kept", "refused", "refused"]);
    await expect(history.messages("s", "bob")).rejects.toMatchObject({ code: "ERR_MEMORY_USER" });
    await history.forget("s");
    await ask(agent, "Who am I?", { ...s, userId: "bob" });
    expect(shown(model.asked[1]?.messages)).toEqual(["Who am I?"]);
  });

  it("fails a run whose history cannot be read, before anything is asked, or lets it begin anew; what cannot be written is told", async () => {
    const down = () => Promise.reject(new Error("down"));
    const closed = setUp(["never"], { store: { ...memoryStateStore(), get: down } });
    await expect(ask(closed.agent, "1")).rejects.toThrow("down");
    expect([closed.model.asked.length, closed.told]).toEqual([0, ["fail_closed"]]);
    const open = setUp(["One."], { store: { ...memoryStateStore(), get: down }, onError: "open" });
    expect(await ask(open.agent, "1")).toMatchObject({ text: "One." });
    expect(open.told).toEqual(["fail_open", "write_failed"]);
    const full = setUp(["One."], { store: { ...memoryStateStore(), compareAndSet: down } });
    expect(await ask(full.agent, "1")).toMatchObject({ text: "One." });
    expect(full.told).toEqual(["write_failed"]);
  });

  it("keeps nothing of a run without a session, nor of a sub-agent's by itself", async () => {
    const { agent, history } = setUp(["One.", "Two.", "Three."]);
    await ask(agent, "1", {});
    const sub = setUp(["Found."]);
    const store = memoryStateStore();
    const outerHistory = conversations({ store });
    const outer = createAgent({
      name: "outer",
      model: scripted([call("1", "helper", { prompt: "sub" })], "Done."),
      tools: [sub.agent.asTool({ name: "helper", description: "helps" })],
      plugins: [outerHistory],
    });
    await (mode === "run" ? outer.run("Go.", s) : outer.stream("Go.", s).result);
    expect(await history.messages("s")).toEqual([]);
    expect(await sub.history.messages("s")).toEqual([]);
    expect(shown(await outerHistory.messages("s"))).toEqual(["Go.", "", "", "Done."]);
  });

  it("holds no personal data of ten kinds where a guard is, in whatever order", async () => {
    for (const order of [0, 1, 2, 3, 4, 5]) {
      for (const before of [true, false]) {
        const { plugins, written } = watched({ order });
        const store = memoryStateStore();
        const history = conversations({ store });
        const rounds = [[call("1", "look", { query: text })], `You said ${text}`, `Again ${text}`];
        const look = defineTool({ name: "look", execute: () => text });
        const all = before ? [history, ...plugins] : [...plugins, history];
        const agent = createAgent({ name: "outer", model: scripted(...rounds), tools: [look], plugins: all });
        for (const question of [text, text]) {
          await (mode === "run" ? agent.run(question, s) : agent.stream(question, s).result);
        }
        const kept = await history.messages("s");
        expect(kept).toHaveLength(6);
        expect(found([kept, await written()])).toEqual([]);
      }
    }
  });
});

it("takes no option that makes no sense", () => {
  const store = memoryStateStore();
  for (const options of [{}, { store: {} }, { store, ttl: 0 }, { store, maxMessages: -1 }, { store, sessions: "s" }]) {
    expect(() => conversations(options as never)).toThrow(expect.objectContaining({ code: "ERR_MEMORY_OPTION" }));
  }
});
