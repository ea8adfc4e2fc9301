import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { signed } from "../../../examples/refunds/person.js";
import { freePort } from "../../../scripts/free-port.mjs";
import { blocks } from "../../../scripts/readme.mjs";
import { root } from "../../../scripts/workspaces.mjs";
import { type Redis, startRedis, withRedis } from "../../redis.js";

const readme = readFileSync(join(root, "packages/plugins/approval/README.md"), "utf8");
const programs = blocks(readme, "js").flatMap((program) => {
  const [, name] = /^\/\/ (\w+\.mjs):/.exec(program) ?? [];
  return name === undefined ? [] : [{ name, program }];
});

interface Asked {
  readonly data: { readonly id: string };
}

withRedis("the webhook of approval's README, over two processes", () => {
  const folder = mkdtempSync(join(import.meta.dirname, "approval-readme-"));
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  /** The statuses that a person's message was answered with: it is sent until it is taken. */
  const statuses: number[] = [];
  let redis: Redis;
  let model: ModelServer;
  let person: Server;
  let inbox: ChildProcess;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    for (const { name, program } of programs) writeFileSync(join(folder, name), program);
    redis = await startRedis();
    model = await startModelServer();
    model.script(
      { toolCalls: [{ name: "refund", arguments: { order: "A-17", eur: 40 } }] },
      { text: "40 EUR are on their way." },
    );
    const port = await freePort();
    person = createServer(async (request, response) => {
      const { data } = (await json(request)) as Asked;
      response.writeHead(202).end();
      const body = JSON.stringify({ data: { id: data.id, decision: "approve", by: "ann" } });
      const headers = signed(secret, body);
      const send = async () => (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).status;
      do {
        statuses.push(await send().catch(() => 0));
        await new Promise((resolve) => setTimeout(resolve, 50));
      } while (statuses.at(-1) !== 200 && statuses.length < 200);
    });
    await new Promise<void>((resolve) => person.listen(0, "127.0.0.1", resolve));
    env = {
      ...process.env,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "none",
      STORE_URL: redis.url,
      WEBHOOK_SECRET: secret,
      RESUME_KEY: randomBytes(32).toString("base64"),
      APPROVER_URL: `http://127.0.0.1:${(person.address() as AddressInfo).port}/`,
      PORT: `${port}`,
    };
  });
  afterAll(async () => {
    inbox?.kill();
    person?.close();
    await model?.close();
    await redis?.stop();
    rmSync(folder, { recursive: true });
  });
  const start = (program: string) =>
    spawn(process.execPath, [join(folder, program)], { env, stdio: ["ignore", "pipe", "inherit"] });

  it("asks in one, and pays and answers in the other when the person has decided, once", async () => {
    expect(programs.map(({ name }) => name)).toEqual(["agent.mjs", "ask.mjs", "inbox.mjs"]);
    const asking = start("ask.mjs");
    const code = new Promise((resolve) => asking.once("exit", resolve));
    expect([await text(asking.stdout as NodeJS.ReadableStream), await code]).toEqual(["", 0]);

    inbox = start("inbox.mjs");
    let said = "";
    inbox.stdout?.on("data", (piece: Buffer) => {
      said += piece.toString();
    });
    while (!statuses.includes(200) && statuses.length < 200) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(statuses.at(-1)).toBe(200);
    expect(said).toBe("refunded 40 EUR\n40 EUR are on their way.\n");
  });
});
