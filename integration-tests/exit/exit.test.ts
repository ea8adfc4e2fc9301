import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { createRedactor, PiiError } from "@suite/pii";
import { startModelServer } from "@suite/testkit";
import { root } from "../../scripts/workspaces.mjs";
import { killAll, startCollector, withCollector } from "../collector/collector.js";
import { startFront } from "../collector/front.js";
import { startReceiver } from "../collector/receiver.js";
import { spansOf } from "../collector/spans.js";
import { forms, planted } from "../planted.mjs";
import { startPostgres, withPostgres } from "../postgres.js";
import { startShop } from "./shop.js";

jest.setTimeout(120_000);
afterAll(killAll);

/** The types that the installed @suite/pii has a recogniser for. */
const known = Object.keys(planted).filter((type) => {
  try {
    createRedactor({ [type]: "redact" });
    return true;
  } catch (error) {
    if (PiiError.is(error)) return false;
    throw error;
  }
});

/** The requests that a collector got from the program, and those that it sent on. */
interface Traffic {
  readonly received: readonly string[];
  readonly sentOn: readonly string[];
}

/** Runs the program, with these types redacted at the exit. */
async function run(types: readonly string[]): Promise<Traffic> {
  const [model, shop, receiver] = await Promise.all([startModelServer(), startShop(), startReceiver()]);
  const collector = await startCollector(receiver.url);
  const front = await startFront(collector.url);
  const postgres = startPostgres();
  const tools = ["browse", "browse_with_password", "query", "insert_twice", "note"];
  model.script({ toolCalls: tools.map((name) => ({ name, arguments: {} })) }, { text: "Done." });
  const told = { endpoint: front.url, modelUrl: model.url, shop: shop.url, postgres, types };
  try {
    await execute(JSON.stringify(told));
    await collector.stop();
  } finally {
    postgres.stop();
    await Promise.all([front.close(), receiver.close(), shop.close(), model.close()]);
  }
  return { received: front.passed, sentOn: receiver.bodies };
}

async function execute(input: string): Promise<void> {
  const script = join(root, "integration-tests/exit/main.mjs");
  const env = { ...process.env, OTEL_RESOURCE_ATTRIBUTES: `owner=${encodeURIComponent(planted.email)}` };
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | null, _: string, said: string) => (error ? reject(new Error(said)) : resolve());
    execFile(process.execPath, [script], { env, timeout: 60_000 }, done).stdin?.end(input);
  });
}

/** Names that show spans and metrics of both instrumentations. */
const signs = [
  "@opentelemetry/instrumentation-undici",
  "@opentelemetry/instrumentation-pg",
  "http.client.request.duration",
  "db.client.operation.duration",
];

/** The types whose value somebody would find: in the bytes, or in what they mean as JSON. */
function found(bodies: readonly string[]): readonly string[] {
  const strings: string[] = [];
  for (const body of bodies) {
    strings.push(body);
    JSON.parse(body, (key, value) => {
      strings.push(key, String(value));
      return value;
    });
  }
  const text = strings.join("\n").toLowerCase();
  return Object.entries(planted).flatMap(([type, value]) =>
    forms(value).some((form) => text.includes(form)) ? [type] : [],
  );
}

withCollector("what leaves a process with instrumentations of others", () => {
  withPostgres("for HTTP and PostgreSQL, at the collector,", () => {
    let bare: Traffic;
    let redacted: Traffic;
    let redactedButUrls: Traffic;

    beforeAll(async () => {
      bare = await run([]);
      redacted = await run(known);
      redactedButUrls = await run(known.filter((type) => type !== "url"));
    });

    it("is spans and metrics of both, also where nothing is redacted, and then holds each planted value", () => {
      for (const { received } of [bare, redacted]) {
        const all = received.join("\n");
        expect(signs.filter((sign) => !all.includes(sign))).toEqual([]);
        expect(spansOf(received).length).toBeGreaterThan(100);
      }
      expect(found(bare.received)).toEqual(Object.keys(planted));
    });

    it.each(known)("holds no %s", (type) => {
      expect(found(redacted.received)).not.toContain(type);
      expect(found(redacted.sentOn)).not.toContain(type);
    });

    // Addresses are replaced whole where urls are redacted: that must not be all that protects what is in them.
    it.each(known.filter((type) => type !== "url"))("holds no %s either where addresses are kept", (type) => {
      expect(found(redactedButUrls.received)).not.toContain(type);
      expect(found(redactedButUrls.sentOn)).not.toContain(type);
    });

    it("was nothing that only the collector had masked", () => {
      expect(redacted.sentOn.join("\n").includes("redaction.masked")).toBe(false);
    });
  });
});
