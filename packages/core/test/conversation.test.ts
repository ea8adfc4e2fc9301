import { expect, it } from "@jest/globals";
import { message, toolCallResponse } from "@suite/core";
import { isQuestion, queryOf, reminderBegin, wordsOf } from "@suite/core/messages";

it("a question is the user's own: no result of a tool, and no reminder of a plugin", () => {
  expect(isQuestion(message("user", "Where is it?"))).toBe(true);
  expect(isQuestion(message("assistant", "There."))).toBe(false);
  expect(isQuestion(message("user", [toolCallResponse("1", "there")]))).toBe(false);
  expect(isQuestion(message("user", `${reminderBegin}\n- look`))).toBe(false);
});

it("words are those of any script, in lower case, and of a query each once", () => {
  expect(wordsOf("Ärger, with ＦＵＬＬ width!")).toEqual(["ärger", "with", "full", "width"]);
  expect(wordsOf("東京に行く").length).toBeGreaterThan(1);
  expect(queryOf("to be, or not to be")).toBe("to be or not");
  expect(wordsOf("word ".repeat(100_000)).length).toBeLessThan(2000);
  expect(queryOf(Array.from({ length: 500 }, (_, each) => `w${each}`).join(" ")).split(" ")).toHaveLength(60);
});
