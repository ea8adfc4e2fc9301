import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";
import { describeStranger, type Stranger, stranger } from "../stranger.js";

/** The last of version 1, one that was the newest for a while, and the newest, which needs Node 22. */
const sdks = [
  ["1.30", "@opentelemetry/sdk-node@0.57.2", "@opentelemetry/sdk-trace-node"],
  ["2.7", "@opentelemetry/sdk-node@0.215.0", "@opentelemetry/sdk-trace-node"],
  ["3.1", "@opentelemetry/sdk-node@0.301.0", "@opentelemetry/sdk-trace"],
] as const;

/** A run of one chat, on whatever is registered. */
const traced = `
  import { PluginStack } from "@suite/core/adapter";
  import { tracing } from "@suite/tracing";
  export async function run() {
    const stack = new PluginStack([tracing()]);
    const run = stack.begin({ agent: { name: "support" } });
    const outcome = await stack.call("agent", run, { messages: [] }, async (agent) => {
      const request = { model: "m", provider: "openai", messages: [], tools: [] };
      const value = { message: { role: "assistant", parts: [{ type: "text", content: "Hello!" }] } };
      const chat = await stack.call("model", run, request, async (model) => model.respond({ value }), agent.call);
      agent.respond({ value: await chat.final() });
    });
    await outcome.final();
    await run.end();
  }`;

/** The argument by which a processor gets its exporter: version 3 takes options. */
const given = (sdk: string, exporter: string) => (sdk.endsWith("-node") ? exporter : `{ exporter: ${exporter} }`);

/** The setup that a guide tells owners of a provider to write, with an exporter that keeps what it would send. */
const ownProvider = (sdk: string) => `
  import { context, trace } from "@opentelemetry/api";
  import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
  import * as sdk from "${sdk}";
  import { compensatingIdGenerator, consoleTree, redactingExporter } from "@suite/tracing/own-provider";
  import { run } from "./traced.mjs";
  const redactor = { redact: (text) => text.replaceAll("ann@example.com", "[EMAIL]"), value: (value) => value };
  const kept = [];
  const exporter = { export: (spans, done) => (kept.push(...spans), done({ code: 0 })), shutdown: async () => {} };
  const spanProcessors = [
    new sdk.SimpleSpanProcessor(${given(sdk, "redactingExporter(exporter, redactor)")}),
    consoleTree({ write: (text) => process.stdout.write(text.replaceAll(/[\\d.]+m?s\\b/g, "T")) }),
  ];
  const Provider = sdk.BasicTracerProvider ?? sdk.TracerProvider;
  const provider = new Provider({ spanProcessors, idGenerator: compensatingIdGenerator() });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  await run();
  const of = trace.getTracer("of ann@example.com");
  of.startActiveSpan("http", (span) => (of.startSpan("get", { attributes: { url: "/ann@example.com" } }).end(), span.end()));
  await provider.forceFlush();
  console.log(JSON.stringify(kept.map((span) => [
    span.name,
    (span.instrumentationScope ?? span.instrumentationLibrary).name,
    Object.values(span.attributes).some((value) => value === "/[EMAIL]"),
    kept.find((other) => other.spanContext().spanId === (span.parentSpanContext?.spanId ?? span.parentSpanId))?.name,
  ])));`;

const types = (sdk: string) => `
  import * as sdk from "${sdk}";
  import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
  import { compensatingIdGenerator, consoleTree, redactingExporter } from "@suite/tracing/own-provider";
  declare const redactor: import("@suite/core").Redactor;
  export const exporter: sdk.SpanExporter = redactingExporter(new OTLPTraceExporter(), redactor);
  export const processor: sdk.SpanProcessor = new sdk.BatchSpanProcessor(${given(sdk, "exporter")});
  export const tree: sdk.SpanProcessor = consoleTree();
  export const ids: sdk.IdGenerator = compensatingIdGenerator();`;

const node = ({ run }: Stranger, code: string) =>
  run(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", code]);

describe.each(sdks)("beside version %s of OpenTelemetry's SDK", (version, sdkNode, sdk) => {
  const there = stranger([sdkNode], ["@suite/core", "@suite/tracing"]);
  afterAll(() => there?.remove());
  describeStranger("@suite/tracing", there, (project) => {
    it("installs, without a flag", () => {
      expect(project.installed.map(({ output }) => output).join()).not.toContain("ERESOLVE");
      expect(project.installed.map(({ code }) => code)).toEqual([0, 0]);
    });

    it("makes its spans in a provider of one's own, with redaction, ids and a tree", () => {
      project.write("traced.mjs", traced);
      const { code, output } = node(project, ownProvider(sdk));
      expect({ code, output: output.split("\n") }).toEqual({
        code: 0,
        output: [
          "invoke_agent support T",
          "└─ chat m T",
          "http T",
          "└─ get T",
          JSON.stringify([
            ["chat m", "@suite/tracing", false, "invoke_agent support"],
            ["invoke_agent support", "@suite/tracing", false, null],
            ["get", "of [EMAIL]", true, "http"],
            ["http", "of [EMAIL]", false, null],
          ]),
          "",
        ],
      });
    });

    it("compiles, as its own provider's types are", () => {
      project.write("uses.mts", types(sdk));
      const options =
        "--noEmit --strict --skipLibCheck false --module nodenext --target es2023 --lib es2023,dom,dom.iterable --types";
      const { output } = project.run(join(root, "node_modules/.bin/tsc"), [...options.split(" "), "", "uses.mts"]);
      expect(output.split("\n").filter((line) => /^uses|@suite/.test(line))).toEqual([]);
    });

    const setUp = version === "3.1" ? it.skip : it;
    setUp("has @suite/tracing/node: setupTracing works with version 2, and says so beside another", () => {
      const { output } = node(
        project,
        `import { run } from "./traced.mjs";
         import { redactingExporter, setupTracing } from "@suite/tracing/node";
         let telemetry;
         try {
           telemetry = setupTracing({ consoleTree: { write: (text) => console.log(text.replaceAll(/[\\d.]+m?s\\b/g, "T").trim()) } });
           await run();
           await telemetry.shutdown();
         } catch (error) {
           console.log(error.code, typeof redactingExporter);
         }`,
      );
      expect(output).toBe(
        version === "1.30" ? "ERR_TRACING_SDK_VERSION function\n" : "invoke_agent support T\n└─ chat m T\n",
      );
    });
  });
});
