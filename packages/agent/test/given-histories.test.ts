import { describe, expect, it } from "@jest/globals";
import { message, toolCallResponse } from "@suite/core";
import { answered, interrupted, withOwnIds } from "../src/loop/history.js";
import { copyOf, deepestState } from "../src/pending/json.js";
import { call } from "./support.js";

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

describe("a message whose calls have ids of their own", () => {
  it("is kept as the object that it is, so that what was made of it is not made again", () => {
    const reply = message("assistant", [call("1", "look")]);
    expect(withOwnIds(reply, [message("user", "?")])).toBe(reply);
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
