import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import { providerName } from "../src/attributes/common.js";
import { BACKEND, PROPOSED } from "../src/attributes/own-names.js";
import { ATTR, OPERATION, SCHEMA_URL, TOOL_TYPE_FUNCTION } from "../src/attributes/semconv.js";
import { VERSION } from "../src/version.js";
import { Harness, startSdk, stopSdk, tool, words } from "./support.js";

afterEach(stopSdk);

const DATA = join(import.meta.dirname, "../../../../../shared/semconv/genai-semconv.json");
const SOURCES = join(import.meta.dirname, "../src");

interface Conventions {
  readonly $about: { readonly schema_url: string };
  readonly attributes: Readonly<Record<string, { readonly members?: readonly string[] }>>;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, unknown>>;
  readonly spans: Readonly<
    Record<string, { readonly attributes: Readonly<Record<string, { readonly sampling_relevant?: boolean }>> }>
  >;
}

it("has the version of the package in the scope", () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

const checked = existsSync(DATA) || process.env.CI !== undefined;
if (!checked) console.info("skipped: no ../shared/semconv/genai-semconv.json beside this repository");
const conventions = () => JSON.parse(readFileSync(DATA, "utf8")) as Conventions;

(checked ? describe : describe.skip)("by the data of the conventions", () => {
  it("uses only names that are defined there", () => {
    const data = conventions();
    expect(SCHEMA_URL).toBe(data.$about.schema_url);
    expect(Object.values(ATTR).filter((name) => !(name in data.attributes))).toEqual([]);
    const operations = data.attributes[ATTR.operationName]?.members;
    expect(Object.values(OPERATION).filter((name) => !operations?.includes(name))).toEqual([]);
    expect(TOOL_TYPE_FUNCTION).toBe("function");
  });

  it("writes no name of theirs, anywhere in the sources, that is not defined there", () => {
    const { attributes, metrics, events } = conventions();
    const defined = new Set([attributes, metrics, events].flatMap(Object.keys));
    const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const written = files.flatMap((file) =>
      [...readFileSync(join(SOURCES, file), "utf8").matchAll(/"((?:gen_ai|mcp)\.[a-z_.]+)"/g)].map(([, name]) => name),
    );
    expect(written.length).toBeGreaterThan(30);
    // But for those that are asked for by name: tracing({ backendNames: true }), since backends read them, and
    // tracing({ proposals: true }).
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
    const harness = new Harness({ content: "full", usageOnAgent: true, warn: () => {} });
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
      const { [types[operation]]: type } = conventions().spans;
      const relevant = Object.entries(type?.attributes ?? {}).flatMap(([name, { sampling_relevant }]) =>
        sampling_relevant && name in attributes ? [name] : [],
      );
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
