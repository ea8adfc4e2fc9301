import { describe, expect, it } from "@jest/globals";
import { sourcesOf } from "../src/adapter.js";
import { type Part, text, toolCall } from "../src/index.js";

const thought: Part = { type: "reasoning", content: "Hm." };

describe("sourcesOf", () => {
  it("finds a part by identity wherever it stands", () => {
    const [one, two] = [text("one"), text("two")];
    expect(sourcesOf([two, one], [one, two])).toEqual([two, one]);
  });

  it("finds changed parts by their position among those of their type", () => {
    const before = [text("one"), thought, text("two")];
    const after = [text("1"), text("2")];
    expect(sourcesOf(after, before)).toEqual([before[0], before[2]]);
  });

  it("finds a changed call by its id", () => {
    const before = [toolCall("a", "look", {}), toolCall("b", "look", {})];
    const after = [toolCall("b", "look", { changed: true })];
    expect(sourcesOf(after, before)).toEqual([before[1]]);
  });

  it("finds no source for a text if another text was removed", () => {
    expect(sourcesOf([text("new")], [text("one"), text("two")])).toEqual([undefined]);
  });

  it("gives the rest its sources if one part is the same object", () => {
    const before = [text("one"), text("two")];
    expect(sourcesOf([before[0] as Part, text("2")], before)).toEqual(before);
  });
});
