import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { ContentLevel } from "../../src/index.js";
import { brief, CARD, EMAIL, modelRequest, redactor, reply, scenario, toolRequest } from "../scenario.js";
import { logFiles } from "../support.js";

const pending: Pending = {
  reason: "external",
  part: { type: "tool_call", id: "call_1", name: "refund", arguments: { to: EMAIL } },
};
const guard: Plugin = { name: "guard", redactor };

describe("content", () => {
  const contentsAt = async (content: ContentLevel, after: Plugin[] = []) => {
    const made = await scenario({ policy: { content } }, { after });
    await made.act("tool", toolRequest, async (c) => c.respond({ value: [EMAIL] }));
    await made.act("tool", toolRequest, async () => {
      throw new Error(`no ${EMAIL}`);
    });
    const [intent, outcome, , failed] = await made.records();
    return {
      intent: intent?.content,
      outcome: outcome?.content,
      message: failed?.outcome?.error?.message,
      warnings: made.warnings,
    };
  };

  it("is not there by default", async () => {
    expect(await contentsAt("none")).toEqual({
      intent: undefined,
      outcome: undefined,
      message: undefined,
      warnings: [],
    });
  });

  it("is types, sizes and names as metadata", async () => {
    const { intent, outcome, message } = await contentsAt("metadata");
    expect(intent).toEqual({
      type: "object",
      fields: { to: { type: "string", length: EMAIL.length }, card: { type: "number" } },
      others: 1,
    });
    expect(outcome).toEqual({ type: "array", length: 1, characters: EMAIL.length });
    expect(message).toBeUndefined();
  });

  it("is redacted, names of members and long numbers too", async () => {
    const { intent, outcome, message, warnings } = await contentsAt("redacted", [guard]);
    expect(intent).toEqual({ to: "[REDACTED]", "[REDACTED]": 1, card: "[REDACTED]" });
    expect(outcome).toEqual(["[REDACTED]"]);
    expect(message).toBe("no [REDACTED]");
    expect(warnings).toEqual([]);
  });

  it("falls back to metadata, with one warning, if redaction is required and there is no redactor", async () => {
    const { intent, message, warnings } = await contentsAt("redacted");
    expect(intent).toMatchObject({ type: "object" });
    expect(message).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("@suite/pii")]);
  });

  it("is recorded unredacted, with one warning, if all content is enabled and there is no redactor", async () => {
    const { intent, warnings } = await contentsAt("full");
    expect(intent).toEqual({ to: EMAIL, [EMAIL]: 1, card: CARD });
    expect(warnings).toHaveLength(1);
  });

  it.each(["redacted", "full"] as const)(
    "has no bytes of images and documents, but what tells them apart (%s)",
    async (content) => {
      const { act, records } = await scenario({ policy: { content } }, { after: [guard] });
      const bytes = Buffer.from(`a picture of ${EMAIL}`);
      const blob = {
        type: "blob",
        modality: "image",
        mimeType: "image/png",
        content: bytes.toString("base64"),
      } as const;
      const request = { ...modelRequest, messages: [{ role: "user", parts: [blob] }] as const };
      await act("model", request, async (c) => c.respond({ value: reply }));
      const text = JSON.stringify(await records());
      expect(text).not.toContain(blob.content.slice(0, 20));
      const digest = `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;
      expect(text).toContain(JSON.stringify({ leftOut: { bytes: bytes.length, digest } }));
    },
  );

  it("is given by the first rule that matches", async () => {
    const { act, records } = await scenario({
      policy: {
        content: [
          { type: "tool", target: "ref*", stage: "outcome", content: "none" },
          { type: ["tool", "agent"], target: ["pay", "refund"], content: "full" },
          { content: "metadata" },
        ],
      },
    });
    await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
    await act("tool", { ...toolRequest, tool: { name: "look" } }, async (c) => c.respond({ value: 1 }));
    expect((await records()).map(({ content }) => content)).toEqual([
      toolRequest.input,
      undefined,
      expect.objectContaining({ type: "object" }),
      { type: "number" },
    ]);
  });

  it("survives whatever a tool gives", async () => {
    const { act, records } = await scenario({ policy: { content: "full" } });
    const cycle: Record<string, unknown> = {
      big: 2n ** 80n,
      half: "\ud83d",
      nan: Number.NaN,
      huge: "x".repeat(5_000_000),
    };
    cycle.self = cycle;
    await act("tool", { ...toolRequest, input: cycle }, async (c) => c.respond({ value: "y".repeat(100_000) }));
    const [intent, outcome] = await records();
    expect(intent?.content).toMatchObject({
      self: "[cycle]",
      half: "\ufffd",
      nan: "NaN",
      huge: "[5000000 characters left out]",
    });
    expect(outcome?.content).toEqual({ leftOut: { bytes: 100_002, sha256: expect.any(String) } });
  });
});

describe("with a redactor, in whatever order of plugins", () => {
  const places: [string, { before?: Plugin[]; after?: Plugin[] }][] = [
    ["outside", { before: [guard] }],
    ["inside", { after: [guard] }],
  ];
  it.each(places)("no personal data reaches the file, with the guard %s", async (_name, others) => {
    const made = await scenario({ policy: { content: "full" } }, others);
    const person = { agent: { name: `agent of ${EMAIL}` } };
    await made.act("model", modelRequest, async (c) => c.respond({ value: reply }), person);
    await made.act(
      "tool",
      toolRequest,
      async () => {
        throw new Error(`no ${EMAIL}`, { cause: EMAIL });
      },
      person,
    );
    await made.act("tool", { ...toolRequest, tool: { name: EMAIL } }, async (c) => c.respond({ suspended: [pending] }));
    await made.act("humanInput", { question: `may ${EMAIL}?`, about: pending.part }, async (c) =>
      c.respond({ value: EMAIL }),
    );
    const run = made.begin();
    run.notify({ type: "fault", where: EMAIL, error: EMAIL });
    run.notify({
      type: "guardrail",
      plugin: EMAIL,
      place: "input",
      decision: "block",
      enforced: true,
      findings: { [EMAIL]: 1 },
    });
    run.notify({ type: "approval", toolCallId: "1", toolName: EMAIL, decision: "approved", by: EMAIL });
    run.notify({ type: "suspension", pending: [pending] });
    run.notify({ type: "limit", limit: EMAIL, maximum: CARD });
    run.notify({
      type: "external_result",
      toolCallId: "1",
      toolName: EMAIL,
      arguments: { [EMAIL]: EMAIL },
      response: CARD,
      outcome: "failed",
      handedOutAt: 1,
      returnedAt: 2,
    });
    await run.end();
    expect(await made.records()).toHaveLength(14);
    const [file = ""] = await logFiles(made.dir);
    const stored = await readFile(join(made.dir, file), "utf8");
    expect(stored).toContain("[REDACTED]");
    expect(stored).not.toMatch(/jane|4111111111111111/);
  });

  it("nothing is written of what a broken redactor should have seen", async () => {
    const broken: Plugin = {
      name: "broken",
      redactor: {
        redact: () => {
          throw new Error();
        },
        value: () => {
          throw new Error();
        },
      },
    };
    const { act, records } = await scenario({ policy: { content: "full" } }, { after: [broken] });
    await act("tool", toolRequest, async (c) => c.respond({ value: EMAIL }));
    const written = await records();
    expect(written.map(brief)).toEqual(["tool intent", "tool completed"]);
    expect(JSON.stringify(written)).not.toContain("jane");
  });
});
