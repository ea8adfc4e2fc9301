import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { transformSync } from "@swc/core";
import { blocks, KEY, shape } from "../scripts/readme.mjs";
import { root } from "../scripts/workspaces.mjs";
import { startPostgres, withPostgres } from "./postgres.js";
import { startRedis, withRedis } from "./redis.js";
import { describeStranger, stranger } from "./stranger.js";

/** The packages of each `npm install` of a README's first block of commands. */
const installs = (readme: string) =>
  (blocks(readme, "sh")[0] ?? "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.startsWith("npm install "))
    .map((line) => line.replace(/#.*/, "").split(/\s+/).slice(2).filter(Boolean));

/** Whether the README's second program is what its first becomes. */
const BECOMES = /^becomes$/m;

const ORDER = "It has shipped. We will write to jane@example.com.";

/** The databases that a README's program may need, by the variable that says where they are. */
const databases = {
  REDIS_URL: { describe: withRedis, start: () => startRedis() },
  DATABASE_URL: {
    describe: withPostgres,
    start() {
      const { host, user, stop } = startPostgres();
      return { url: `postgres://${user}@/postgres?host=${encodeURIComponent(host)}`, stop };
    },
  },
};

/** Installs what a README says in an empty project, and runs its program as it stands. */
export function describeReadme(name: string, path: string): void {
  const readme = readFileSync(join(root, path), "utf8");
  const [variable, needed] = Object.entries(databases).find(([each]) => readme.includes(`process.env.${each}`)) ?? [];
  const group = needed?.describe ?? describe;
  group(`the README of ${name}, word for word in an empty project`, () => {
    let server: ModelServer;
    let database: { readonly url: string; stop(): void | Promise<void> } | undefined;
    beforeAll(async () => {
      server = await startModelServer();
      database = await needed?.start();
    });
    afterAll(async () => {
      project?.remove();
      await server.close();
      await database?.stop();
    });

    const project = stranger(...installs(readme));
    describeStranger("", project, ({ folder, installed, write }) => {
      it("installs with the commands that it gives", () => {
        expect(installed.length).toBeGreaterThan(0);
        expect(installed.filter(({ code }) => code !== 0)).toEqual([]);
      });

      it("runs its program, which prints what it shows and nothing else", async () => {
        // The first program of the whole suite comes after short examples in JavaScript.
        const programs = blocks(readme, path === "README.md" ? "ts" : "js|ts");
        const program = programs[BECOMES.test(readme) ? 1 : programs.findIndex((each) => /from "@suite\//.test(each))];
        write(
          "program.mjs",
          transformSync(program ?? "", { jsc: { target: "es2023", parser: { syntax: "typescript" } } }).code,
        );
        server.reset();
        let asked = 0;
        server.script(({ body }) => {
          const all = JSON.stringify(body);
          // Only the first example of all has a tool.
          if (asked++ === 0 && all.includes("find_order"))
            return { toolCalls: [{ name: "find_order", arguments: {} }] };
          if (all.includes("Where does it go?"))
            return { text: all.includes("neighbour") ? "To your neighbour." : "I do not know." };
          if (all.includes("Who are you?")) return { text: "You are ada@mail.example." };
          return {
            text: all.includes("find_order") ? ORDER : "It has shipped. I will write to jane@x.com.",
            chunks: 7,
          };
        });
        const { CI, ...inherited } = process.env;
        const env: NodeJS.ProcessEnv = {
          ...inherited,
          OPENAI_BASE_URL: `${server.url}/v1`,
          OPENAI_API_KEY: "none",
          ...(variable !== undefined && { [variable]: database?.url }),
        };
        const child = spawn(process.execPath, ["program.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
        const exited = new Promise((resolve) => child.on("exit", resolve));
        const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
        const told = readme.includes("created a signing key");
        expect(KEY.test(err)).toBe(told);
        const printed = [out, err.replace(KEY, "")].map((each) => each.trim()).join("\n");
        expect({ code, printed: shape(printed) }).toEqual({
          code: 0,
          printed: shape(blocks(readme, "text")[0] ?? "none"),
        });
      });
    });
  });
}
