import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { frameworks } from "../src/page/first-lines.js";
import { ask, viewer } from "./support.js";

/** A folder from which the adapters and their frameworks are found. */
const cwd = fileURLToPath(new URL("../../../examples", import.meta.url));

describe("the first lines, as the empty page shows them", () => {
  it.each(frameworks.map((each) => [each.title, each] as const))("for %s are a program", (_, { imports, lines }) => {
    const code = `${imports}\n\n${lines("http://127.0.0.1:9")}`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none" },
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(lines("http://127.0.0.1:9").split("\n")).toHaveLength(2);
  });

  it("name the address at which this viewer receives", async () => {
    const shown = await viewer();
    expect(await (await ask(shown, "/")).text()).toContain(`data-endpoint="${shown.endpoint}"`);
  });
});
