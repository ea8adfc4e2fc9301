import { describe, expect, it } from "@jest/globals";
import { createAgent } from "@suite/agent";
import { message, toolCallResponse } from "@suite/core";
import { answered, interrupted, withoutOrphans, withUniqueIds } from "../src/loop/history.js";
import { copyOf, deepestState } from "../src/pending/json.js";
import { call, scripted } from "./support.js";

describe("an unanswered call of a history that is given", () => {
  const [first, second] = [call("1", "look"), call("2", "look")];
  const asked = message("assistant", [first, second]);
  const told = [toolCallResponse("1", "seen")];
  const owed = toolCallResponse("2", interrupted, { isError: true });

  it("is answered beside the results that are there", () => {
    const messages = [message("user", "?"), asked, message("tool", told), message("user", "go on")];
    expect(answered(messages)).toEqual(messages.with(2, message("tool", [...told, owed])));
  });

  it("is answered by a message of its own where no result is there", () => {
    const messages = [message("assistant", [second]), message("user", "go on")];
    expect(answered(messages)).toEqual(messages.toSpliced(1, 0, message("tool", [owed])));
  });
});

describe("a result that answers no call of a history that is given", () => {
  const result = message("tool", [toolCallResponse("0", "cut off")]);
  const asked = message("assistant", [call("1", "look")]);
  const told = message("tool", [toolCallResponse("1", "seen")]);
  const question = message("user", "?");

  it("is left out of what the model is sent", async () => {
    const model = scripted("ok");
    const again = message("tool", [toolCallResponse("1", "seen"), toolCallResponse("1", "seen again")]);
    const agent = createAgent({ name: "a", model });
    const done = await agent.run([result, asked, again, result, question]);
    expect(model.asked[0]?.messages).toEqual([asked, told, question]);
    expect(done.messages.slice(0, -1)).toEqual([asked, told, question]);
  });

  it("is left out before its call, too, which is answered instead", () => {
    const owed = message("tool", [toolCallResponse("1", interrupted, { isError: true })]);
    expect(answered(withoutOrphans([told, asked, question]))).toEqual([asked, owed, question]);
  });

  it("is not found where there is none: the history is the same object", () => {
    const messages = [question, asked, told, message("assistant", []), question];
    expect(withoutOrphans(messages)).toBe(messages);
  });
});

describe("a message whose calls have ids of their own", () => {
  it("is kept as the same object, so that it is not converted again", () => {
    const reply = message("assistant", [call("1", "look")]);
    expect(withUniqueIds(reply, [message("user", "?")])).toBe(reply);
  });
});

describe("a copy of arguments", () => {
  it.each([
    ["lists", (inner: unknown) => [inner], (outer: unknown) => (outer as readonly unknown[])[0]],
    ["objects", (inner: unknown) => ({ inner }), (outer: unknown) => (outer as { inner: unknown }).inner],
  ])("goes as deep as a state may be, through %s", (_what, wrap, unwrap) => {
    const changing: unknown[] = ["as it was"];
    let value: unknown = changing;
    for (let depth = 0; depth < deepestState; depth++) value = wrap(value);
    let copy: unknown = copyOf(value);
    changing[0] = "changed";
    for (let depth = 0; depth < deepestState; depth++) copy = unwrap(copy);
    expect(copy).toEqual(["as it was"]);
  });
});
