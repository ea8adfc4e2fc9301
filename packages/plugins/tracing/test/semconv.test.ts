import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import { providerName } from "../src/attributes/common.js";
import { BACKEND, PROPOSED, SUITE } from "../src/attributes/own-names.js";
import { ATTR, LOG_EVENT, OPERATION, PREVIOUS, SCHEMA_URL, TOOL_TYPE_FUNCTION } from "../src/attributes/semconv.js";
import { PREVIOUS_HISTOGRAM } from "../src/metrics/names.js";
import { VERSION } from "../src/version.js";
import { conventions, extractOfWhole } from "./conventions.js";
import { Harness, startSdk, stopSdk, tool, words } from "./support.js";

afterEach(stopSdk);

const SOURCES = join(import.meta.dirname, "../src");

it("has the version of the package in the scope", () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

it("has a row in the documentation for each attribute that the conventions do not name", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../../../docs/details/tracing.md"), "utf8");
  expect(Object.values(SUITE).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

const whole = extractOfWhole();
(whole === undefined ? it.skip : it)("conventions.json is the extract of the data next to this repository", () => {
  expect(conventions).toEqual(whole);
});

describe("by the data of the conventions", () => {
  const { attributes, operations, events, metrics, superseded, schema_url } = conventions;
  const previous: readonly string[] = [
    ...Object.values(PREVIOUS),
    ...Object.values(PREVIOUS_HISTOGRAM).map(({ name }) => name),
  ];

  it("uses only names that are defined there, and none that the release replaced", () => {
    expect(SCHEMA_URL).toBe(schema_url);
    expect(Object.values(ATTR).filter((name) => !attributes.includes(name) || name in superseded)).toEqual([]);
    expect(Object.values(LOG_EVENT).filter((name) => !events.includes(name) || name in superseded)).toEqual([]);
    expect(Object.values(OPERATION).filter((name) => !operations.includes(name))).toEqual([]);
    expect(TOOL_TYPE_FUNCTION).toBe("function");
    expect(previous.filter((name) => !(name in superseded))).toEqual([]);
  });

  it("writes no name of theirs, anywhere in the sources, that is not defined there", () => {
    const defined = new Set([...attributes, ...events, ...Object.keys(metrics)]);
    const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const written = files.flatMap((file) =>
      [...readFileSync(join(SOURCES, file), "utf8").matchAll(/"((?:gen_ai|mcp)\.[a-z_.]+)"/g)].map(([, name]) => name),
    );
    expect(written.length).toBeGreaterThan(30);
    // Those of the dialects "langfuse", "phoenix" and "proposed" are not of the conventions.
    const others = written.filter((name) => !defined.has(name ?? ""));
    expect(others.sort()).toEqual([...Object.values(BACKEND), ...Object.values(PROPOSED)].sort());
  });

  it("says at the start of a span all that the conventions want a sampler to see", async () => {
    const started: Attributes[] = [];
    const exporter = startSdk({
      sampler: {
        shouldSample(_context, _traceId, _name, _kind, attributes) {
          started.push({ ...attributes });
          return { decision: SamplingDecision.RECORD_AND_SAMPLED };
        },
        toString: () => "all",
      },
    });
    const harness = new Harness({ content: "full", dialect: "agent-usage", warn: () => {} });
    const run = harness.begin();
    const outcome = await harness.agent(run, async function* (call) {
      yield* await harness.chat(run, () => words("a"), call);
      await harness.tool(
        run,
        tool("add", () => 3),
        {},
        call,
      );
    });
    await outcome.final();
    await run.end();
    const types = {
      [OPERATION.invokeAgent]: "gen_ai.invoke_agent.internal",
      [OPERATION.chat]: "gen_ai.client.inference",
      [OPERATION.executeTool]: "gen_ai.execute_tool.internal",
    };
    for (const { attributes, kind } of exporter.getFinishedSpans()) {
      const operation = attributes[ATTR.operationName] as keyof typeof types;
      const relevant = (conventions.sampling[types[operation]] ?? []).filter((name) => name in attributes);
      const seen = started.find((each) => each[ATTR.operationName] === operation);
      expect(relevant.length).toBeGreaterThanOrEqual(kind === SpanKind.CLIENT ? 5 : 2);
      expect(Object.keys(seen ?? {})).toEqual(expect.arrayContaining(relevant));
    }
    expect(started).toHaveLength(3);
  });
});

it.each([
  ["openai.responses", "openai"],
  ["anthropic.messages", "anthropic"],
  ["google.vertex.chat", "gcp.vertex_ai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["Mistral", "mistral_ai"],
  ["azure.ai.openai", "azure.ai.openai"],
  ["constructor", "constructor"],
  ["my-own", "my-own"],
])("calls the provider %s %s", (given, name) => {
  expect(providerName(given)).toBe(name);
});
