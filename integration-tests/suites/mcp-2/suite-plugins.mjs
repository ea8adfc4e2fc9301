import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The packages of the checkout that is tested, as they are built.
const require = createRequire(join(process.env.SUITE_PROJECT, "integration-tests", "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { withPlugins } = await load("@suite/mcp");

const kinds = ["tool", "model", "humanInput", "memory"];
const every = (layer) => [
  {
    name: "every",
    ...Object.fromEntries(kinds.map((kind) => [kind, layer])),
    systemPrompt: (prompt) => prompt,
    observe() {},
    begin() {},
    end() {},
  },
];

/** The rules find nothing in the tests' texts, so that each difference is the adapter's. */
async function three(apply) {
  const [{ tracing }, { pii }, { audit, fileSink }] = await Promise.all(
    ["@suite/tracing", "@suite/pii", "@suite/audit"].map(load),
  );
  const dir = mkdtempSync(join(tmpdir(), "framework-suite-"));
  const log = audit({ sink: fileSink({ dir }), policy: { delivery: "buffered" }, warn: () => {} });
  return [tracing({ content: "redacted", warn: () => {} }), pii({ vin: "redact", uk_nhs: "redact" }, { apply }), log];
}

const modes = {
  observe: () => [{ name: "watch", observe() {}, begin() {}, end() {} }],
  idle: () =>
    every(async (_, callNext) => {
      await callNext();
    }),
  stage: () =>
    every(async (invocation, callNext) => {
      await callNext();
      invocation.pipe({ chunk: (chunk, emit) => emit(chunk) });
    }),
  three: () => three({}),
  output: () => three({ output: true, toolArguments: true, toolResults: true, humanInput: true }),
};

/** Returns a class of the SDK whose objects have plugins. Subclasses that the tests define have none. */
export async function guarded(Class) {
  const plugins = await modes[process.env.SUITE]();
  const Guarded = new Proxy(Class, {
    construct(target, given, created) {
      if (created !== Guarded) return Reflect.construct(target, given, created);
      return withPlugins(new target(...given), plugins);
    },
  });
  return Guarded;
}
