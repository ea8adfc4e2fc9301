import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "@jest/globals";
import { build } from "esbuild";
import { blocks } from "../../scripts/readme.mjs";
import { address, expectOneToken, named, namesToken, tokensIn } from "./conversation.js";
import { describePage, vaultKey } from "./page.js";

interface Configuration {
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
  readonly durable_objects: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] };
}

/** The configuration of workerd for a worker of wrangler. */
function workerdOf(configuration: Configuration, port: string, secrets: Readonly<Record<string, string>>): string {
  const { compatibility_date, compatibility_flags, durable_objects } = configuration;
  const objects = durable_objects.bindings.map(
    ({ class_name }) => `(className = "${class_name}", uniqueKey = "${class_name}", enableSql = true)`,
  );
  const bindings = [
    ...durable_objects.bindings.map(
      ({ name, class_name }) => `(name = "${name}", durableObjectNamespace = "${class_name}")`,
    ),
    ...Object.entries(secrets).map(([name, text]) => `(name = "${name}", text = "${text}")`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker.mjs", esModule = embed "bundle.mjs")],
          compatibilityDate = "${compatibility_date}", compatibilityFlags = ${JSON.stringify(compatibility_flags)},
          durableObjectNamespaces = [${objects.join()}], durableObjectStorage = (inMemory = void),
          bindings = [${bindings.join()}])),
        (name = "internet", network = (allow = ["public", "private"]))
      ],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
    );`;
}

describePage("cloudflare-workers", (page) => {
  const home = join(import.meta.dirname, "node_modules/@cloudflare");
  let workerd = "";
  beforeAll(async () => {
    workerd = join(home, readdirSync(home).find((name) => name.startsWith("workerd-")) ?? "", "bin/workerd");
    const outfile = join(page.folder, "bundle.mjs");
    const entryPoints = [join(page.folder, "worker.js")];
    const conditions = ["workerd", "worker", "browser"];
    await build({
      entryPoints,
      outfile,
      bundle: true,
      format: "esm",
      conditions,
      external: ["cloudflare:*", "node:*"],
    });
  });

  it("answers in workerd with the same tokens in a chat, and forgets the user", async () => {
    page.model.script(namesToken);
    const secrets = { VAULT_KEY: vaultKey, OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${page.model.url}/v1` };
    const configuration = JSON.parse(blocks(page.text, "json")[0] ?? "") as Configuration;
    const start = (port: string) => {
      writeFileSync(join(page.folder, "config.capnp"), workerdOf(configuration, port, secrets));
      return ["serve", "config.capnp"];
    };
    const server = await page.serve(workerd, start);
    const ask = async (method: string, body?: object) => {
      const init = { method, headers: { "x-user": "ada" }, ...(body && { body: JSON.stringify(body) }) };
      return (await (await fetch(server.url, init)).json()) as { readonly content: string };
    };
    const messages: object[] = [];
    const turn = async (content: string) => {
      messages.push({ role: "user", content });
      const answer = await ask("POST", { chat: "chat-1", messages });
      messages.push(answer);
      return answer.content;
    };
    expect([await turn(`I am ${address}.`), await turn("Say it again.")]).toEqual([named, named]);
    expectOneToken(page.model, 2);
    expect(await ask("DELETE")).toMatchObject({ complete: true });
    expect(await Promise.all([turn("And again."), turn("And again.")])).toEqual([named, named]);
    expect(tokensIn(page.model.requests)).toHaveLength(2);
    await server.stop();
  });
});
