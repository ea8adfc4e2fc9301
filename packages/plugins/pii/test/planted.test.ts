import { expect, it } from "@jest/globals";
import { defaultTypes, detect } from "@suite/pii";
import { planted } from "../../../../integration-tests/planted.mjs";

it("of each type that is looked for by default, a value is planted that is found", () => {
  expect(Object.keys(planted).sort()).toEqual([...defaultTypes].sort());
  for (const [type, value] of Object.entries(planted)) {
    expect(detect(value)).toEqual([expect.objectContaining({ type, start: 0, end: value.length })]);
  }
});
