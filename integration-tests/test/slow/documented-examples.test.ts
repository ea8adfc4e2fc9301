import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { root } from "../../../scripts/workspaces.mjs";

// examples/documented: each program runs, prints what it is to show, and is as long as its row in the README says.

const folder = join(root, "examples/documented");
const programs = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .sort();
const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** The rows of the README's table, by program. */
const rows = new Map(
  [...read("README.md").matchAll(/^\| \[`([\w-]+\.ts)`\]\(\1\) *\|(.*)\|$/gm)].map(([, program = "", rest = ""]) => [
    program,
    rest.split("|").map((cell) => cell.trim()),
  ]),
);

const isCode = (line: string) => !/^\s*($|\/\/|\/?\*)/.test(line);

/** The lines of code of a program, and of those the ones that matter: below the first comment behind the imports. */
function lengthOf(program: string): { readonly all: number; readonly matter: number } {
  const lines = read(program).split("\n");
  const first = lines.findIndex((line) => line.startsWith("// "));
  const end = lines.indexOf("", first);
  const matter = first < 0 ? [] : lines.slice(first, end < 0 ? undefined : end);
  return { all: lines.filter(isCode).length, matter: matter.filter(isCode).length };
}

/** The output of each program, line by line; a pattern stands for a line that differs from run to run. */
const printed: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "timing.ts": [/^model \d+ ms$/, /^reasoning \d+ ms$/, /^agent \d+ ms$/],
  "rate-limit.ts": ["the second call has waited"],
  "dynamic-prompt.ts": ["You help. Be technical.", "", "## Current context", /^Year: \d{4}$/],
  "model-fallback.ts": ["The backup answers."],
  "call-middleware.ts": ["enter A", "enter B", "enter C", "exit C", "exit B", "exit A"],
  "tool-middleware.ts": ['{"query":"tea","requestId":"r-17"}'],
  "approval.ts": ["read", "sent { to: 'all@example.com' }", "sent { to: 'ann@example.com' }", "Done."],
  "approval-of-one-tool.ts": ["May delete_account run with these arguments?", /A person refused this call/],
  "budget.ts": ["That is what I know. 2 rounds"],
  "long-term-memory.ts": ["## Memory", /^Notes from earlier conversations/, /^- User: I sit by the window\./],
  "compensating-spans.ts": [
    /^invoke_agent robot .*suspended$/,
    /^└─ chat scripted-model/,
    /^execute_tool drive \[external\] (\d\d+ms|[\d.]+s)$/,
    /^invoke_agent robot/,
    /^└─ chat scripted-model/,
  ],
  "summarization.ts": [
    "Here is a summary of the conversation so far:",
    "<summary>",
    "They spoke of tea.",
    "</summary>",
    "Which was it?",
  ],
  "model-call-limit.ts": ["The limit of model calls is reached: 2 per run."],
  "tool-call-limit.ts": ["found", /^The limit of calls of this tool is reached/],
  "personal-data.ts": [
    /^Ada here, \[REDACTED_EMAIL\], card \*{4}-\*{4}-\*{4}-1111, about <ticket_hash:\w+>\.$/,
    "I write to [REDACTED_EMAIL].",
  ],
  "todo-list.ts": [
    "<system-reminder>",
    /^Your list/,
    "- [~] Boil water",
    "- [ ] Pour it",
    /^Go on with it/,
    "</system-reminder>",
  ],
  "tool-selector.ts": ["weather, search"],
  "tool-retry.ts": ["attempt 1", "attempt 2", "attempt 3", "Here it is."],
  "model-retry.ts": ["Hello. after 3 calls"],
  "tool-emulator.ts": ["Rain, 8 degrees."],
  "context-editing.ts": ["[cleared]", "[cleared]", "word word word"],
  "shell.ts": ["hello from tea"],
  "file-search.ts": ["/notes.md", "/notes.md:2:Water the plants."],
  "prompt-cache.ts": [String.raw`1h "You read.\n\n<document>…</document>"`, '1h "What does it say?"'],
  "tool-search.ts": ["order_status, search_tools", "order_status, cancel_order, search_tools"],
  "permissions.ts": ["safe_read has run", "delete has run", /^This call of drop_table is not allowed/],
  "layered-guards.ts": ["sent", "I wrote to [REDACTED_EMAIL].", "Let us stay polite.", "I cannot help with that."],
  "retrieval.ts": [/"response":\[\{"id":"h1","content":"Refunds take three days\."\}\]/],
  "structured-output.ts": [
    "so far: { city: 'Os' }",
    "so far: { city: 'Oslo' }",
    "so far: { city: 'Oslo', degrees: 8 }",
    "Oslo 8",
  ],
  "every-hook.ts": [
    ...["agent begins", "reasoning begins", "model begins", "model completed", "reasoning completed"],
    ...["tool begins", "tool completed"],
    ...["reasoning begins", "model begins", "model completed", "reasoning completed", "agent completed"],
  ],
  "before-and-after.ts": ["model returned: One.", "Conversation limit reached."],
  "content-filter.ts": ["I cannot help with that. Please rephrase. 0 requests"],
  "blocked-answer.ts": ["I cannot respond to that request."],
  "answer-guard.ts": ["I cannot tell you that."],
  "custom-state.ts": ["That is enough. At round 3."],
  "dynamic-model.ts": ["From the small model.", "From the large model."],
  "dynamic-tools.ts": ["open", "open, export"],
  "runtime-context.ts": ["ada monday r-17", "in the tool: t-1"],
  "tool-errors.ts": ["search { query: 'tea' }", "search is out of order. Try something else."],
  "tools-of-a-plugin.ts": ["Noon. 1 tool call"],
  "sub-agent.ts": ["A drink, it seems. 3 model calls"],
  "stop-when-denied.ts": ["I remove it. stop_condition"],
  "human-input.ts": ["asked: Are you sure?", "executed"],
  "conditional.ts": ['paid {"eur":40}', /A person refused this call of pay.*ann refuses: pay/],
  "logging.ts": [/model call completed/, /tool call completed/, /model call completed/, /agent run completed/],
  "history-limit.ts": ["Message 18.", "Message 19.", /^Is this too long\? .{10,25}$/],
  "custom-spans.ts": [
    /^invoke_agent support/,
    /^├─ chat scripted-model/,
    /^├─ execute_tool find_order/,
    /^│ {2}└─ SELECT orders/,
    /^└─ chat scripted-model/,
  ],
  "speech.ts": ["audio: AAAAAAAAAAAAAA==", "audio: AAAAAAAAAAAA", "audio: "],
  "cache.ts": ["ada Four.", "ada Four.", "bob Four, as I said."],
  "tenant-rate.ts": ["acme completed", "acme completed", "acme ERR_LIMITS_RATE", "other completed"],
  "schema.ts": ["{ city: 'Oslo', degrees: 8 } 2 requests"],
  "file-guard.ts": ["Tea with Ada.", /^This call of read_file was not run/],
  "audit-trail.ts": ["{ ok: true, records: 10 }"],
};

describe("the documented examples", () => {
  it("are those of the README's table, and those whose output is known here", () => {
    expect([...rows.keys()].sort()).toEqual(programs);
    expect(Object.keys(printed).sort()).toEqual(programs);
  });

  it.each(programs)(
    "%s prints its documented output, is short, and has the length that the README states",
    (program) => {
      expect(read(program)).toMatch(/^\/\*\* [A-Z]/);
      const { all, matter } = lengthOf(program);
      expect(all).toBeLessThanOrEqual(45);
      expect(matter).toBeGreaterThan(0);
      const [shows, theirs, ours, lines] = rows.get(program) ?? [];
      expect([shows, theirs]).not.toContain("");
      expect([ours, lines]).toEqual([`${all}`, `${matter}`]);
    },
  );

  it.each(programs)("%s runs as it stands, and shows it", async (program) => {
    const cwd = await mkdtemp(join(tmpdir(), "documented-"));
    try {
      const built = join(root, "examples/dist/documented", program.replace(/ts$/, "js"));
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [built], { cwd });
      const wanted = (printed[program] ?? []).map((line) =>
        typeof line === "string" ? line : expect.stringMatching(line),
      );
      expect(stdout.replace(/\n$/, "").split("\n")).toEqual(wanted);
      expect(stderr).toBe("");
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});
