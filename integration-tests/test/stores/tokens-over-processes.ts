import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { prompts } from "../../tokens-over-turns.js";
import type { SharedServer } from "./limits-over-processes.js";

interface Message {
  readonly role: string;
  readonly content: string;
}
interface Turn {
  readonly messages: readonly Message[];
  readonly faults: readonly string[];
}

const program = join(import.meta.dirname, "../fixtures/stores/chat-server.mjs");

/** A process that serves one task after the other. */
class ChatServer {
  readonly #child;
  readonly #results;

  constructor(options: object) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
    this.#results = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async serve(task: object): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(task)}\n`);
    const { value } = await this.#results.next();
    return JSON.parse(String(value));
  }

  /** Waits until it has closed its connections, so that the database can stop. */
  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }
}

const tokenForm = /<EMAIL_\d+_[a-z]{8}>/;
const users = {
  ada: { userId: "ada", sessionId: "chat of ada", mail: "ada@example.com" },
  bob: { userId: "bob", sessionId: "chat of bob", mail: "bob@example.com" },
} as const;
interface Ids {
  readonly userId: string;
  readonly sessionId: string;
}
const questions = ["Who am I?", "Give me a link.", "Once more."];

/** Describes tokens of chats whose turns are served by several processes, with a vault in a store that they share. */
export function describeTokensOverProcesses(name: string, open: () => Pick<SharedServer, "address">): void {
  describe(`tokens over three processes, three turns and two users, on ${name}`, () => {
    const key = randomBytes(32).toString("hex");
    let server: ModelServer;
    let processes: readonly ChatServer[] = [];
    beforeAll(async () => {
      server = await startModelServer();
      processes = [1, 2, 3].map(() => new ChatServer({ address: open().address, key, url: server.url }));
    });
    afterAll(async () => {
      await Promise.all(processes.map((each) => each.stop()));
      await server.close();
    });

    let served = 0;
    /** Has the next process work. */
    const work = (task: object): Promise<unknown> => (processes[served++ % 3] as ChatServer).serve(task);
    const turn = async ({ userId, sessionId }: Ids, messages: readonly Message[]): Promise<Turn> =>
      (await work({ ids: { userId, sessionId }, messages })) as Turn;
    const last = ({ messages }: Turn): string => messages.at(-1)?.content ?? "";

    it("are stable, restored for the right user alone, and erased by user", async () => {
      server.script((request) => {
        const [token = "none"] = JSON.stringify(request.body).match(tokenForm) ?? [];
        return { text: `You are ${token}, see https://x.com/?q=${token}` };
      });
      const histories: Record<keyof typeof users, Turn> = {
        ada: { messages: [], faults: [] },
        bob: { messages: [], faults: [] },
      };
      // Each turn of each user is served by another process; both users at once.
      for (const [index, question] of questions.entries()) {
        const turns = (["ada", "bob"] as const).map(async (user) => {
          const content = index === 0 ? `I am ${users[user].mail}. ${question}` : question;
          histories[user] = await turn(users[user], [...histories[user].messages, { role: "user", content }]);
        });
        await Promise.all(turns);
      }

      const tokens: Record<string, string> = {};
      for (const user of ["ada", "bob"] as const) {
        const { mail } = users[user];
        const { messages, faults } = histories[user];
        const own = prompts(server).filter((prompt) =>
          prompt.includes(last(histories[user]).match(tokenForm)?.[0] ?? "-"),
        );
        expect(own).toHaveLength(3);
        const [token = "none"] = own[0]?.match(tokenForm) ?? [];
        tokens[user] = token;
        own.forEach((prompt, index) => {
          expect(new Set(prompt.match(new RegExp(tokenForm, "g")))).toEqual(new Set([token]));
          expect(prompt).not.toMatch(/@example|TEXT_/);
          if (index > 0) expect(prompt.startsWith(own[index - 1] as string)).toBe(true);
        });
        const read = messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
        expect(read).toEqual(questions.map(() => `You are ${mail}, see https://x.com/?q=${token}`));
        expect(faults).toEqual([]);
      }
      expect(tokens.ada).not.toBe(tokens.bob);

      // Bob with the session of Ada, and with a session of his own: her token stands for nothing.
      const says = { text: `It is ${tokens.ada}.` };
      for (const sessionId of [users.ada.sessionId, users.bob.sessionId]) {
        server.script(says);
        const stolen = await turn({ userId: "bob", sessionId }, [{ role: "user", content: "Who was it?" }]);
        expect([last(stolen), stolen.faults]).toEqual([says.text, ["ERR_PII_TOKEN_UNKNOWN"]]);
      }

      // One process erases Ada; in all others her tokens stand for nothing, and a new turn makes new ones.
      expect(await work({ erase: "ada" })).toBe(1);
      server.script(says);
      expect(last(await turn(users.ada, [{ role: "user", content: "Who was it?" }]))).toBe(says.text);
      const again = await turn(users.ada, [{ role: "user", content: `I am ${users.ada.mail}.` }]);
      expect(last(again)).toContain(`You are ${users.ada.mail}`);
      expect(last(again)).not.toContain(tokens.ada);
      server.script({ text: `It is ${tokens.bob}.` });
      expect(last(await turn(users.bob, [{ role: "user", content: "Who am I?" }]))).toBe(`It is ${users.bob.mail}.`);
      expect(await work({ erase: "ada" })).toBe(1);
    });
  });
}
