import { readFileSync } from "node:fs";
import { expect, it, jest } from "@jest/globals";
import { installedVersion, testedMinors, warnOfUntested } from "../src/tested.js";

const versions = new URL("../../../../scripts/versions/tested.json", import.meta.url);

it("installedVersion returns the version of the SDK, which is a tested one", () => {
  const version = installedVersion() ?? "";
  expect(testedMinors).toContain(version.split(".", 2).join("."));
});

it("the tested minors are those that the script has tested", () => {
  const { "@suite/openai-agents": peers } = JSON.parse(readFileSync(versions, "utf8"));
  const tested = Object.values<string[]>(peers["@openai/agents"]).flat();
  expect([...new Set(tested.map((version) => version.split(".", 2).join(".")))]).toEqual(testedMinors);
});

it("warnOfUntested warns once of a version that was not tested", () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  warnOfUntested(() => "0.99.1");
  warnOfUntested(() => "0.99.1");
  expect(warn.mock.calls).toEqual([[expect.stringContaining("@openai/agents 0.99.1 was not tested")]]);
  warn.mockRestore();
});
