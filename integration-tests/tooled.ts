import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import type { ModelAnswer, Observed } from "@suite/testkit";
import { fileSearch } from "@suite/tools/node";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const usage = { inputTokens: 10, outputTokens: 5 };
const calls = (name: string, given: object): ModelAnswer => ({
  toolCalls: [{ id: "1", name, arguments: given }],
  usage,
});
const says = (text: string): ModelAnswer => ({ text, usage });

/** Holds the plugins of tools in one framework: the model is offered their tools, and what they give goes back to it. */
export function describeTools(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`tools in ${name}`, subjectOf, ({ subject, stream }) => {
    const run = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]): Promise<Observed> =>
      subject.run({ plugins, answers, input: "the question", tools: [], stream });
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "tooled-"));
      writeFileSync(join(folder, "orders.txt"), "order 17: shipped\n");
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it("fileSearch finds files, and lines in them", async () => {
      const search = fileSearch({ root: folder });
      const grep = calls("grep", { pattern: "order \\d+", mode: "content" });
      const seen = await run([search], [calls("glob", { pattern: "*.txt" }), grep, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts[1]).toContain("/orders.txt");
      expect(seen.prompts[2]).toContain("/orders.txt:1:order 17: shipped");
      expect(seen.prompts.join()).not.toContain(folder);
    });
  });
}
