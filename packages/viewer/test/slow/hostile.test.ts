import { describe, expect, it, jest } from "@jest/globals";
import { openLog } from "@suite/audit";
import type { Page } from "playwright-core";
import type { ApprovalRequest } from "../../src/run/approval.js";
import { formatValue, named } from "../../src/run/format.js";
import type { Span } from "../../src/run/span.js";
import { folder, requestOf, send, span, viewer } from "../support.js";
import { expectHarmless, inBrowser, open, viewerCommand } from "./browser.js";
import { hostile } from "./hostile.js";

jest.setTimeout(300_000);

/** All texts, short enough that many of them make one page; huge lines are among those of `halves`. */
const texts = [...new Set(hostile().map((text) => text.slice(0, 2000).toWellFormed()))];
/** A list has at most 500 runs, so that all texts stand in two. */
const halves = [hostile().filter((_, at) => at % 2 === 0), hostile().filter((_, at) => at % 2 === 1)];

/** A span each of whose fields is a text. */
const spanOf = (text: string, more: Partial<Span> = {}): Span =>
  span({
    name: text,
    status: "error",
    statusMessage: text,
    scope: text,
    attributes: {
      [text]: text,
      "gen_ai.operation.name": "chat",
      "gen_ai.agent.name": text,
      "gen_ai.conversation.id": text,
      "gen_ai.response.model": text,
      "user.id": text,
      "suite.run.id": `run ${text}`,
    },
    events: [
      { name: text, time: 1_700_000_000_010, attributes: { [text]: text } },
      {
        name: `${text}.decision`,
        time: 1_700_000_000_020,
        attributes: {
          "suite.guardrail.decision": text,
          "suite.guardrail.plugin": text,
          "suite.guardrail.place": text,
          "suite.guardrail.findings": JSON.stringify(Object.fromEntries([[text, 1]])),
          "suite.decision.reason": text,
        },
      },
    ],
    links: [{ traceId: "a".repeat(32), spanId: "b".repeat(16), attributes: { [text]: text, reason: text } }],
    resource: { [text]: text, "service.name": text, "service.instance.id": text },
    ...more,
  });

/** The name of a span as the viewer keeps it. */
const bounded = (name: string): string => (name.length > 1024 ? `${name.slice(0, 1024)}…` : name);
/** A string as the list of runs shows it. */
const listed = (text: string): string => text.slice(0, 512);

/** Messages each of whose fields is a text, with parts of each kind. */
const messagesOf = (text: string): readonly object[] => [
  { role: text, parts: [{ type: "text", content: text }] },
  { role: "assistant", parts: [{ type: "reasoning", content: text }] },
  { role: "assistant", parts: [{ type: "tool_call", id: text, name: text, arguments: { [text]: text } }] },
  { role: "tool", parts: [{ type: "tool_call_response", id: text, response: text }] },
  { role: "user", parts: [{ type: text, [text]: text }] },
];

/** Goes to a place of the page, and waits until an element has this text. */
async function goTo(page: Page, hash: string, selector: string, text: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForFunction(
    ([selector, text]) => [...document.querySelectorAll(String(selector))].some((each) => each.textContent === text),
    [selector, text],
  );
}

const textsOf = (page: Page, selector: string): Promise<readonly (string | null)[]> =>
  page.locator(selector).evaluateAll((all) => all.map(({ textContent }) => textContent));

it("has five hundred texts and more", () => {
  expect(new Set(hostile()).size).toBeGreaterThanOrEqual(500);
});

describe("whatever is sent in any field is text", () => {
  inBrowser.each(halves)("in the list, in each span's panel and in each session (%#)", async (...half) => {
    const viewer = await viewerCommand();
    const spans = half.map((text) => spanOf(text));
    for (const each of spans) expect((await send(viewer, requestOf(each))).status).toBe(200);
    const watched = await open(viewer.url);
    const { page } = watched;
    await page
      .locator(".runs li")
      .nth(half.length - 1)
      .waitFor({ state: "attached" });
    const names = await textsOf(page, ".runs li strong");
    expect(new Set(names)).toEqual(new Set(half.map((text) => named(listed(text)))));
    const who = new Set(await textsOf(page, ".runs .who"));
    for (const text of half.filter(Boolean)) expect(who).toContain(listed(text));
    for (const { name, traceId, spanId } of spans) {
      await goTo(page, `#/run/${traceId}/timeline/${spanId}`, ".panel h2", named(bounded(name)));
      const facts = new Set(await textsOf(page, ".panel dd"));
      expect(facts).toContain(formatValue(bounded(name)));
      // Without an id there is no session, and one of many kilobytes has no picture of its own.
      if (name === "" || name.length > 1000) continue;
      await goTo(page, `#/session/${encodeURIComponent(name)}`, "main h1", `Session ${name}`);
    }
    await expectHarmless(watched);
  });

  inBrowser("in conversations, waterfalls, and two runs side by side", async () => {
    const viewer = await viewerCommand();
    const watched = await open(viewer.url);
    const { page } = watched;
    let before: string | undefined;
    for (let at = 0; at < texts.length; at += 10) {
      const some = texts.slice(at, at + 10);
      const root = spanOf(some[0] ?? "");
      const below = some.map((text) => spanOf(text, { traceId: root.traceId, parentSpanId: root.spanId }));
      const said = { "gen_ai.input.messages": JSON.stringify(some.flatMap(messagesOf)) };
      const system = {
        "gen_ai.system_instructions": JSON.stringify(some.map((content) => ({ type: "text", content }))),
      };
      const model = span({
        ...{ traceId: root.traceId, parentSpanId: root.spanId },
        attributes: { "gen_ai.operation.name": "chat", ...said, ...system },
      });
      expect((await send(viewer, requestOf(root, ...below, model))).status).toBe(200);
      const run = `#/run/${root.traceId}`;
      await goTo(page, `${run}/timeline`, ".row .text", named(bounded(some.at(-1) ?? "")));
      const rows = new Set(await textsOf(page, ".row .text"));
      for (const text of some) expect(rows).toContain(named(bounded(text)));
      await goTo(page, `${run}/conversation`, ".conversation .text", some.at(-1) ?? "");
      const parts = new Set(await textsOf(page, ".conversation .text, .conversation pre"));
      for (const text of some) {
        expect(parts).toContain(text);
        expect(parts).toContain(formatValue({ [text]: text }));
      }
      if (before !== undefined) {
        await goTo(page, `#/compare/${before}/${root.traceId}`, ".compare .text", some.at(-1) ?? "");
        const steps = new Set(await textsOf(page, ".compare th[scope=row]"));
        for (const text of some) expect(steps).toContain(named(bounded(text)));
      }
      before = root.traceId;
    }
    await expectHarmless(watched);
  });

  inBrowser("in the plots", async () => {
    const viewer = await viewerCommand("--max-spans", "1");
    const watched = await open(viewer.url);
    const { page } = watched;
    const found = texts.filter((text, at) => text !== "" && text.length <= 300 && texts.indexOf(text) === at);
    for (let at = 0; at < found.length; at += 6) {
      const some = found.slice(at, at + 6);
      const findings = JSON.stringify(Object.fromEntries(some.map((text) => [text, 1])));
      const events = [{ name: "suite.guardrail", time: 1, attributes: { "suite.guardrail.findings": findings } }];
      expect((await send(viewer, requestOf(span({ events })))).status).toBe(200);
      // Each address is asked for at once; all of them show all runs.
      await goTo(page, `#/plots/${5_000_000 + at}`, ".plot .key, .plot:last-child strong", some.at(-1) ?? "").catch(
        (error: Error) => {
          throw new Error(`${JSON.stringify(some)}: ${error.message}`);
        },
      );
    }
    await expectHarmless(watched);
  });

  inBrowser("in the records of the audit log", async () => {
    const dir = await folder();
    const log = await openLog({ dir });
    await Promise.all(
      texts.map((text) =>
        log.append({
          ...{ runId: "r-1", type: text, operation: text, target: { name: text }, decision: text, status: text },
          ...{ time: text, details: { [text]: text } },
        }),
      ),
    );
    await log.close();
    const viewer = await viewerCommand("--audit", dir);
    const of = span({ attributes: { "suite.run.id": "r-1" } });
    await send(viewer, requestOf(of));
    const watched = await open(`${viewer.url}#/run/${of.traceId}/audit`);
    const { page } = watched;
    await page
      .locator(".record")
      .nth(texts.length - 1)
      .waitFor({ state: "attached" });
    expect([...(await textsOf(page, ".record strong"))].sort()).toEqual([...texts].sort());
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await page
      .locator(".opened pre")
      .nth(texts.length - 1)
      .waitFor({ state: "attached" });
    const lines = await textsOf(page, ".opened pre");
    const types = lines.map((line) => (JSON.parse(line ?? "") as { readonly type: string }).type);
    expect(types.sort()).toEqual([...texts].sort());
    await expectHarmless(watched);
  });

  inBrowser("in what waits for a person", async () => {
    const requests = new Map(
      texts.map((text, at): [string, ApprovalRequest] => [
        `request-${at}`,
        {
          ...{ id: `request-${at}`, digest: "d", toolName: text, question: text, sessionId: text, userId: text },
          ...{ arguments: { [text]: text }, decisions: ["approve", "edit", "reject", "respond"], always: true },
          ...{ askedAt: 1_700_000_000_000 + at, expiresAt: Date.now() + 3_600_000 },
        },
      ]),
    );
    const approve = {
      get: async (id: string) => requests.get(id),
      decision: async () => undefined,
      decide: async () => undefined,
    };
    // A viewer looks at two hundred requests.
    for (let at = 0; at < texts.length; at += 200) {
      const desk = await viewer({ approve });
      const ids = [...requests.keys()].slice(at, at + 200);
      const events = ids.map((id) => ({
        ...{ name: "suite.decision", time: 1 },
        attributes: { "suite.decision.name": "asked", "suite.decision.detail.request": id },
      }));
      expect((await send(desk, requestOf(span({ events })))).status).toBe(200);
      const watched = await open(`${desk.url}#/approvals`);
      const { page } = watched;
      await page
        .locator(".request")
        .nth(ids.length - 1)
        .waitFor({ state: "attached" });
      const asked = texts.slice(at, at + 200);
      expect(await textsOf(page, ".request h2")).toEqual(asked.map(named));
      expect(await textsOf(page, ".request .question")).toEqual(asked);
      expect(await textsOf(page, ".arguments")).toEqual(asked.map((text) => formatValue({ [text]: text })));
      await expectHarmless(watched);
      await page.close();
    }
  });
});
