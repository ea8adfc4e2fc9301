import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect } from "@jest/globals";
import type { Span } from "../../src/run/span.js";
import { requestOf, send, span } from "../support.js";
import { inBrowser, open, viewerCommand } from "./browser.js";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A run of an agent: a model call, a tool, another call, with what was said. */
function run(of: (key: string) => string = (key) => key): readonly Span[] {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": of("support") };
  const root = span({ name: of("invoke_agent support"), resource: { "service.name": of("desk") }, attributes });
  const { traceId, spanId: parentSpanId, start } = root;
  const said = (role: string, content: string) => [{ role, parts: [{ type: "text", content }] }];
  return [
    span({
      traceId,
      parentSpanId,
      name: of("chat gpt-5"),
      start: start + 10,
      end: start + 40,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": of("gpt-5"),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.input.messages": JSON.stringify(said("user", of("Where is my order? [REDACTED_EMAIL]"))),
        "gen_ai.output.messages": JSON.stringify(said("assistant", of("It has shipped."))),
      },
      events: [{ name: of("gen_ai.guardrail.decision"), time: start + 20, attributes: { [of("type")]: of("email") } }],
    }),
    span({
      traceId,
      parentSpanId,
      name: of("execute_tool find_order"),
      start: start + 50,
      end: start + 60,
      status: "error",
      statusMessage: of("no such order"),
      attributes: { "gen_ai.operation.name": "execute_tool" },
    }),
    root,
  ];
}

describe("the page", () => {
  inBrowser("shows the main job's runs while they happen, and each in all its views", async () => {
    const viewer = await viewerCommand();
    const { page, wrong } = await open(viewer.url);
    await page.getByText("Waiting for the first run").waitFor();
    const folder = await mkdtemp(join(tmpdir(), "viewer-"));
    folders.push(folder);
    const main = fileURLToPath(new URL("../../../../examples/dist/support-desk/main.js", import.meta.url));
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: viewer.endpoint, OTEL_BSP_SCHEDULE_DELAY: "200" };
    const child = spawn(process.execPath, [main], { cwd: folder, stdio: "ignore", env });
    const ended = once(child, "exit");
    // Before the program has ended, or right after it: a span is there soon after its own end.
    await page.locator(".runs li").first().waitFor();
    await ended;
    await page.locator(".runs li").nth(3).waitFor();
    await page
      .getByRole("link", { name: /support/ })
      .last()
      .click();
    await page.getByRole("heading", { name: "support" }).waitFor();
    expect(await page.locator(".row").count()).toBeGreaterThanOrEqual(4);
    await page.locator(".row", { hasText: "chat" }).first().click();
    await page.getByText("gen_ai.input.messages").waitFor();
    await page.getByRole("link", { name: "Conversation" }).click();
    expect(await page.locator(".conversation .user").first().textContent()).toContain("Where is my order");
    expect(await page.locator(".conversation mark").first().textContent()).toBe("[REDACTED_EMAIL]");
    expect(wrong).toEqual([]);
  });

  inBrowser("is used by keys: j and k, /, Escape", async () => {
    const viewer = await viewerCommand();
    const [first, second] = [run(), run()];
    await send(viewer, requestOf(...first));
    await send(
      viewer,
      requestOf(...second.map((each) => ({ ...each, start: each.start + 1000, end: each.end + 1000 }))),
    );
    const { page } = await open(viewer.url);
    await page.locator(".runs li").nth(1).waitFor();
    const runNow = () => page.evaluate("location.hash") as Promise<string>;
    await page.keyboard.press("j");
    expect(await runNow()).toContain(second[0]?.traceId);
    await page.keyboard.press("j");
    expect(await runNow()).toContain(first[0]?.traceId);
    await page.keyboard.press("k");
    expect(await runNow()).toContain(second[0]?.traceId);
    await page.locator(".row").nth(1).click();
    await page.getByRole("complementary", { name: "Span" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Span" }).waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("no such word");
    await page.getByText("0 of 2 runs").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await runNow()).toBe("#/");
  });

  inBrowser("opens at the span that a link names, and says where a run is not there", async () => {
    const viewer = await viewerCommand();
    const spans = run();
    await send(viewer, requestOf(...spans));
    const at = await open(`${viewer.url}#/run/${spans[0]?.traceId}/timeline/${spans[1]?.spanId}`);
    await at.page.getByText("error: no such order").waitFor();
    const nowhere = await open(`${viewer.url}#/run/${"f".repeat(32)}/timeline`);
    await nowhere.page.getByText("There is no such run, or it made room for newer ones.").waitFor();
    const { page } = await open(viewer.url.replace(/token=.*/, "token=wrong"));
    await page.getByText("Open the address that the command printed").waitFor();
  });

  inBrowser(
    "renders whatever an agent said as text: nothing runs, and nothing is asked for",
    async () => {
      const viewer = await viewerCommand();
      const texts = hostile();
      expect(texts.length).toBeGreaterThanOrEqual(500);
      const runs = texts.map((text) => run(() => text));
      for (const spans of runs) expect((await send(viewer, requestOf(...spans))).status).toBe(200);
      const { page, wrong } = await open(viewer.url);
      await page.locator(".runs li").nth(400).waitFor({ state: "attached" });
      for (const [index, spans] of runs.entries()) {
        const [model] = spans;
        const at = `#/run/${model?.traceId}`;
        if (index % 3 > 0) continue; // all stand in the list; each kind is opened in several wrappings
        await page.evaluate(`location.hash = ${JSON.stringify(`${at}/timeline/${model?.spanId}`)}`);
        await page.locator(".panel h3").waitFor({ state: "attached" });
        await page.waitForFunction(
          ([text, id]) =>
            document.querySelector(".panel h3")?.textContent === text && location.hash.includes(String(id)),
          [texts[index]?.trim() === "" ? "unnamed" : texts[index], model?.traceId],
        );
        await page.evaluate(`location.hash = ${JSON.stringify(`${at}/conversation`)}`);
        await page.locator(".conversation").waitFor();
      }
      expect(await page.evaluate("window.ran")).toBeUndefined();
      expect(
        await page.locator("script, iframe, object, embed, img, svg, form, style, base, meta[http-equiv]").count(),
      ).toBe(2);
      expect(wrong).toEqual([]);
    },
    300_000,
  );

  inBrowser.each([false, true])("has nothing that axe would mend, in any of its views (dark: %p)", async (dark) => {
    const viewer = await viewerCommand();
    const { page } = await open(viewer.url, { dark });
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const violations = async (): Promise<readonly string[]> => {
      await page.evaluate(axe);
      const found = (await page.evaluate("axe.run()")) as {
        readonly passes: readonly unknown[];
        readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
      };
      expect(found.passes.length).toBeGreaterThan(10);
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    };
    await page.getByText("Waiting for the first run").waitFor();
    expect(await violations()).toEqual([]);
    const spans = run();
    await send(viewer, requestOf(...spans));
    await page.locator(".runs li").waitFor();
    const at = `#/run/${spans[0]?.traceId}`;
    for (const view of [
      "#/",
      `${at}/timeline`,
      `${at}/timeline/${spans[0]?.spanId}`,
      `${at}/conversation`,
      "#/run/none/timeline",
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      await page
        .locator(view.endsWith("conversation") ? ".conversation" : view.startsWith(at) ? ".timeline" : ".empty")
        .waitFor();
      if (view.endsWith("none/timeline")) await page.locator(".problem").waitFor();
      expect(await violations()).toEqual([]);
    }
  });

  inBrowser.each([
    [1280, false],
    [820, true],
    [390, false],
  ])("%i pixels wide (dark: %p) has nothing that is cut off sideways", async (width, dark) => {
    const viewer = await viewerCommand();
    const spans = run((key) => (key === "desk" ? "x".repeat(400) : key));
    await send(viewer, requestOf(...spans));
    const { page, wrong } = await open(viewer.url, { width, dark });
    for (const at of [
      "#/",
      `#/run/${spans[0]?.traceId}/timeline/${spans[0]?.spanId}`,
      `#/run/${spans[0]?.traceId}/conversation`,
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
      await page
        .locator(at === "#/" ? ".runs li" : ".run")
        .first()
        .waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
    expect(wrong).toEqual([]);
  });
});

/** Five hundred texts and more that pages have fallen for: scripts, escapes, marks of direction, terminal codes, huge lines. */
function hostile(): readonly string[] {
  const run = "window.ran=1";
  const kinds = [
    `<script>${run}</script>`,
    `<img src=x onerror="${run}">`,
    `<svg onload="${run}"><a href="javascript:${run}">x</a></svg>`,
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<style>@import url(https://example.com/x.css);body{background:url(https://example.com/x.png)}</style>`,
    `<link rel=stylesheet href=https://example.com/x.css>`,
    `<meta http-equiv=refresh content="0;url=https://example.com">`,
    `<base href=https://example.com/>`,
    `<form action=https://example.com><button autofocus onfocus="${run}">`,
    `javascript:${run}`,
    `data:text/html,<script>${run}</script>`,
    `{{constructor.constructor('${run}')()}}`,
    `\${${run}}`,
    `]]><script>${run}</script>`,
    `--><script>${run}</script><!--`,
    "</title></textarea></style></script>",
    "\u202Eevil\u202C \u2066x\u2069 \u200F",
    "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
    "a\u0000b\uFFFF\uD800c",
    "line\u2028line\u2029line\r\nline",
    "x".repeat(100_000),
    "Z\u0351\u036B\u0343".repeat(500),
    '"onmouseover="x" \'y\' `z` &lt;b&gt; &#x3c;',
    "__proto__",
    "constructor",
    "",
  ];
  const wrappings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `"${text}`,
    (text) => `'>${text}`,
    (text) => `\`${text}`,
    (text) => `\n${text}\n`,
    (text) => `[${text}](${text})`,
    (text) => `{"a":${JSON.stringify(text)}}`,
    (text) => `[REDACTED_EMAIL]${text}`,
    (text) => text.toUpperCase(),
    (text) => text.replaceAll("<", "<\u0000"),
    (text) => encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed()),
    (text) => [...text].reverse().join(""),
    (text) => `\u202E${text}`,
    (text) => `${text}${text}`,
    (text) => `</pre></code></dd>${text}`,
    (text) => text.replaceAll("<", "\uFF1C"),
    (text) => text.replaceAll("<", "&lt;"),
    (text) => `/* */ ${text} //`,
    (text) => `<!--${text}-->`,
    (text) => `<![CDATA[${text}]]>`,
  ];
  // A text as the wire carries it: halves of characters become marks of replacement there.
  return wrappings.flatMap((wrap) => kinds.map((kind) => wrap(kind).slice(0, 100_000).toWellFormed()));
}
