import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "@jest/globals";
import { transformSync } from "@swc/core";
import { blocks, KEY, shape } from "../../scripts/readme.mjs";
import { root } from "../../scripts/workspaces.mjs";

// The programs of the guides for jobs, each in a process of its own and an empty folder. None of them needs a network.

const guides = readdirSync(join(root, "docs/guides"));
const examples = join(root, "integration-tests/.examples");
mkdirSync(examples, { recursive: true });
const folder = mkdtempSync(join(examples, "guides-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("the guides for jobs are there", () => expect(guides.length).toBeGreaterThanOrEqual(5));

describe.each(guides)("the guide %s", (guide) => {
  const page = readFileSync(join(root, "docs/guides", guide), "utf8");

  it("has a program that runs, and prints the text below it", async () => {
    const dir = join(folder, guide);
    mkdirSync(dir);
    const [program = ""] = blocks(page, "ts");
    const { code: js } = transformSync(program, { jsc: { target: "es2023", parser: { syntax: "typescript" } } });
    writeFileSync(join(dir, "program.mjs"), js);
    const child = spawn(process.execPath, ["program.mjs"], { cwd: dir, stdio: ["ignore", "pipe", "pipe"] });
    const exited = new Promise((resolve) => child.on("exit", resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    const printed = [out, err.replace(KEY, "")].map((each) => each.trim()).join("\n");
    expect({ code, printed: shape(printed) }).toEqual({ code: 0, printed: shape(blocks(page, "text")[0] ?? "") });
  });
});
