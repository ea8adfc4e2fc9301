import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { verify } from "@suite/audit";
import { root } from "../../scripts/workspaces.mjs";

/** What a support desk on a framework says, and the shape of its spans. */
const desks = [
  [
    "ai-sdk",
    /I will refund that\. .*Refunded to card \*{4}-.*1111/,
    /invoke_agent support .*suspended\n├─ chat fake-model/,
  ],
  [
    "langchain",
    /I will refund that\. .*Refunded to card \*{4}-.*1111/,
    /invoke_agent support .*suspended\n├─ chat fake-model/,
  ],
  ["fetch", /It was paid with card \*{4}-.*1111/, /^chat fake-model/m],
] as const;

it("the example of a workflow, built, shows the spans of its agents, of a plan and of a memory", async () => {
  const program = join(root, "examples/dist/workflow/main.js");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout).toBe("Tea for Ada: green, two minutes.\n");
  const names = stderr.split("\n").map((line) => /^[│├└─ ]*[a-z_]+(?: [a-z]+(?=\W))?/.exec(line)?.[0]);
  expect(names.filter(Boolean)).toEqual([
    "invoke_workflow report",
    "├─ invoke_agent researcher",
    "│  ├─ plan researcher",
    "│  │  └─ chat fake",
    "│  ├─ execute_tool recall",
    "│  │  └─ search_memory",
    "│  └─ chat fake",
    "└─ invoke_agent writer",
    "   └─ chat fake",
  ]);
});

it("the example of refunds, built, outlives a flaky model, runs what a person approved by webhook, and keeps to a tenant's budget", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "example-refunds-"));
  try {
    const program = join(root, "examples/dist/refunds/main.js");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd });
    expect(stdout.split("\n")).toEqual([
      'ann is asked: refund {"order":"A-17","eur":40}',
      "ann says approve: 200",
      "refunded 40 EUR for A-17",
      "40 EUR are on their way.",
      expect.stringContaining("budget"),
      "",
    ]);
    expect(stderr).toMatch(/chat model-a .*ERROR InternalServerError/);
    expect(await verify(join(cwd, "refunds-output"))).toMatchObject({ ok: true, tail: 0 });
  } finally {
    await rm(cwd, { recursive: true });
  }
});

describe.each(desks)("the example of %s, built,", (name, answer, tree) => {
  it("does its job, shows its spans, keeps a log that verifies, and tells no personal data", async () => {
    const cwd = await mkdtemp(join(tmpdir(), `example-${name}-`));
    try {
      const program = join(root, `examples/dist/${name}/main.js`);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd });
      expect(stdout).toMatch(answer);
      expect(stderr).toMatch(tree);
      expect(stdout + stderr).not.toMatch(/omar@|4111 1111/);
      expect(await verify(join(cwd, `${name}-output`))).toMatchObject({ ok: true, tail: 0 });
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});
