import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { verify } from "@suite/audit";
import { root } from "../../../scripts/workspaces.mjs";
import { startPostgres, withPostgres } from "../../postgres.js";

/** The desks by framework: the text that a support desk prints, and the shape of its spans. */
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
  ["fetch", /It was paid with card \*{4}-.*1111/, /^chat fake-model .*\d+→\d+ tokens$/m],
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
    expect(stderr).toMatch(/chat model-a .*ERROR server_error/);
    expect(await verify(join(cwd, "refunds-output"))).toMatchObject({ ok: true, tail: 0 });
  } finally {
    await rm(cwd, { recursive: true });
  }
});

it("the example of a workbench, built, plans, searches files, works in a shell, and speaks", async () => {
  const program = join(root, "examples/dist/workbench/main.js");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout.split("\n")).toEqual([
    "[write_todos]",
    "[glob]",
    "[shell]",
    "There are 3 things in your notes. Have a good week.",
    "spoken",
    "",
  ]);
  for (const name of ["write_todos", "glob", "shell"]) expect(stderr).toContain(`execute_tool ${name}`);
});

describe("the example of a memory, built,", () => {
  const remembers = async (env: NodeJS.ProcessEnv): Promise<string> => {
    const cwd = await mkdtemp(join(tmpdir(), "example-memory-"));
    try {
      const program = join(root, "examples/dist/memory/main.js");
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd, env });
      const answers = stdout.split("\n").filter((line) => line.startsWith("  "));
      expect(answers.map((line) => line.trim())).toEqual([
        "I will remember that.",
        "By the window, as always.",
        "By the window, as always.",
        "I do not know.",
        "Everything that I knew of you is gone.",
        "I do not know.",
      ]);
      for (const span of ["search_memory", "create_memory", "delete_memory"]) expect(stderr).toContain(span);
      expect(stderr).not.toContain("ada@");
      expect(await verify(join(cwd, "memory-output"))).toMatchObject({ ok: true, tail: 0 });
      return stderr;
    } finally {
      await rm(cwd, { recursive: true });
    }
  };
  const { DATABASE_URL: _, ...inherited } = process.env;

  it("remembers a user across conversations, tells no other, and forgets on request, with a log that verifies", async () => {
    await remembers(inherited);
  });

  withPostgres("with PostgreSQL,", () => {
    it("does so there, and what is embedded is traced", async () => {
      const { host, user, stop } = startPostgres();
      try {
        const url = `postgres://${user}@/postgres?host=${encodeURIComponent(host)}`;
        expect(await remembers({ ...inherited, DATABASE_URL: url })).toContain("embeddings fake-embedding");
      } finally {
        stop();
      }
    });
  });
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
