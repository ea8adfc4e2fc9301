import { describe, expect, it } from "@jest/globals";
import { startViewer } from "@suite/viewer";
import { ask, requestOf, send, span, viewer } from "./support.js";

describe("the server of the page", () => {
  it("serves the agents' data to clients with the token, and to no others", async () => {
    const shown = await viewer();
    await send(shown, requestOf(span()));
    expect((await ask(shown, "/api/runs")).status).toBe(200);
    for (const authorization of ["", "Bearer x", `Bearer ${"x".repeat(24)}`]) {
      for (const path of ["/api/runs", "/api/live", "/api/runs/x"])
        expect((await ask(shown, path, { authorization })).status).toBe(401);
    }
  });

  it("answers this machine alone, and no page of another origin", async () => {
    const shown = await viewer();
    expect((await ask(shown, "/", { origin: "https://example.com" })).status).toBe(403);
    expect((await ask(shown, "/", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect(shown.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it("lets the page run no script but its own, and ask nobody else", async () => {
    const shown = await viewer();
    const policy = (await ask(shown, "/")).headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/connect-src 'self'/);
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  it("gives its own files, and no other of the machine", async () => {
    const shown = await viewer();
    for (const path of ["/page/main.js", "/run/run.js", "/vendor/preact.mjs", "/style.css"])
      expect((await ask(shown, path)).status).toBe(200);
    for (const path of [
      "/vendor/package.json",
      "/page/../cli.js",
      "/page/%2e%2e/cli.js",
      "/cli.js",
      "/page/main.d.ts",
      "/etc/passwd",
      "/__proto__",
    ])
      expect((await ask(shown, path)).status).toBe(404);
  });

  it("serves every module that the check of a proof imports, by the names of its import map", async () => {
    const shown = await viewer();
    const page = await (await ask(shown, "/")).text();
    const map = /<script type="importmap"[^>]*>(.*?)<\/script>/.exec(page)?.[1] ?? "{}";
    const { imports } = JSON.parse(map) as { imports: Readonly<Record<string, string>> };
    const paths = new Set(Object.values(imports));
    const missing: string[] = [];
    for (const path of paths) {
      const response = await ask(shown, path);
      if (response.status !== 200) missing.push(path);
      for (const [, name = ""] of (await response.text()).matchAll(
        /^(?:import|export) [^"\n=]*\bfrom "([^"\n]+)";$/gm,
      )) {
        const isRelative = name.startsWith(".");
        if (isRelative) paths.add(new URL(name, new URL(path, shown.url)).pathname);
        else if (imports[name] === undefined) missing.push(`${name} in ${path}`);
      }
    }
    expect(missing.filter((each) => !each.startsWith("node:"))).toEqual([]);
    expect(paths.size).toBeGreaterThan(50);
  });

  it("sends changed runs, and all runs if some were evicted", async () => {
    const shown = await viewer({ maxSpans: 3 });
    const { body } = await ask(shown, "/api/live");
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const line = async () => JSON.parse((await reader?.read())?.value ?? "");
    expect(await line()).toEqual({ runs: [], size: { spans: 0, runs: 0, dropped: 0 }, whole: true, most: 500 });
    const [a, b, c] = [span(), span(), span()];
    const runs = (...of: (typeof a)[]) => of.map(({ traceId }) => ({ traceId }));
    await send(shown, requestOf(a, b));
    expect(await line()).toMatchObject({ whole: true, size: { runs: 2 } });
    await send(shown, requestOf(span({ traceId: b.traceId, parentSpanId: b.spanId })));
    expect(await line()).toMatchObject({ whole: false, runs: runs(b), size: { runs: 2 } });
    await send(shown, requestOf(c));
    expect(await line()).toMatchObject({ whole: true, runs: runs(c, b), size: { runs: 2, dropped: 1 } });
    await reader?.cancel();
  });

  it("reads a query to a thousand characters", async () => {
    const shown = await viewer();
    await send(shown, requestOf(span({ attributes: { text: "a".repeat(1000) } })));
    const found = async (query: string): Promise<number> =>
      ((await (await ask(shown, `/api/runs?q=${query}`)).json()) as { runs: unknown[] }).runs.length;
    expect([await found("a".repeat(5000)), await found("zqz")]).toEqual([1, 0]);
  });

  it("says of a run that it does not have that it does not", async () => {
    expect((await ask(await viewer(), "/api/runs/00ff")).status).toBe(404);
  });

  it("reports that a port belongs to another program, and stays usable", async () => {
    const shown = await viewer();
    const taken = Number(new URL(shown.endpoint).port);
    await expect(startViewer({ port: 0, otlpPort: taken })).rejects.toMatchObject({
      name: "ViewerError",
      code: "ERR_VIEWER_PORT",
      message: expect.stringContaining(`Port ${taken} for traces`),
    });
    await expect(startViewer({ port: taken, otlpPort: 0 })).rejects.toMatchObject({ code: "ERR_VIEWER_PORT" });
  });

  it("takes any other port in the place of those that are taken, where these will do", async () => {
    const shown = await viewer();
    const [otlpPort, port] = [shown.endpoint, shown.url].map((url) => Number(new URL(url).port));
    const second = await viewer({
      ...(port !== undefined && { port }),
      ...(otlpPort !== undefined && { otlpPort }),
      anyPort: true,
    });
    expect(
      new Set([shown, second].flatMap(({ url, endpoint }) => [new URL(url).port, new URL(endpoint).port])).size,
    ).toBe(4);
    await send(second, requestOf(span()));
    expect(await (await ask(second, "/api/runs")).json()).toMatchObject({ size: { runs: 1 } });
    expect(await (await ask(shown, "/api/runs")).json()).toMatchObject({ size: { runs: 0 } });
  });

  it.each([
    ...[{ port: -1 }, { port: 1.5 }, { otlpPort: 70_000 }, { maxSpans: 0 }, { maxSpans: Number.NaN }],
    ...[{ maxBytes: 0 }, { maxBytes: 1.5 }],
  ])("refuses %j", async (options) => {
    await expect(startViewer({ port: 0, otlpPort: 0, ...options })).rejects.toMatchObject({
      code: "ERR_VIEWER_OPTION",
    });
  });
});
