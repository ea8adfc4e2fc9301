import { PassThrough } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { humanInTheLoop, type ToolRule } from "@suite/approval";
import { terminal } from "@suite/approval/terminal";
import { memoryStateStore } from "@suite/kit/store";
import { codeOf, Rig } from "./support.js";

/** A person at a terminal, who types a line for each question. */
class Person {
  readonly input = Object.assign(new PassThrough(), { isTTY: true });
  readonly output = new PassThrough();
  seen = "";

  constructor(...lines: readonly string[]) {
    const left = [...lines];
    this.output.setEncoding("utf8").on("data", (text: string) => {
      this.seen += text;
      const line = /[?:] $/.test(text) ? left.shift() : undefined;
      if (line !== undefined) setImmediate(() => this.input.write(`${line}\n`));
    });
  }

  guarding(rule: ToolRule = true): Rig {
    const ask = terminal({ input: this.input, output: this.output, by: "ann" });
    return new Rig([humanInTheLoop({ pay: rule }, { ask, show: "full" })], { sessionId: "s" });
  }
}

describe("a prompt at a terminal", () => {
  it.each(["y", "YES", " 1 "])("runs the call at %p, and tells who has decided", async (word) => {
    const person = new Person(word);
    const rig = person.guarding();
    expect(await rig.call({ eur: 5 })).toBe("ran");
    expect(person.seen).toContain('pay {\n  "eur": 5\n}');
    expect(rig.decisions.find(({ decision }) => decision === "used")?.details).toMatchObject({ by: "ann" });
  });

  it("runs nothing at a yes that comes after the question has expired", async () => {
    const person = new Person();
    const ask = terminal({ input: person.input, output: person.output, by: "ann" });
    const rig = new Rig([humanInTheLoop({ pay: true }, { ask, expiresIn: 20, store: memoryStateStore() })]);
    setTimeout(() => person.input.write("y\n"), 60);
    expect(await codeOf(rig.call({ eur: 5 }))).toBe("ERR_APPROVAL_EXPIRED");
    expect(rig.ran).toEqual([]);
  });

  it.each<[string, (input: PassThrough) => void]>([
    ["in one go", () => {}],
    ["before the next question", (input) => void input.write("y\n")],
  ])("does not run another call on a yes that was typed twice for one, %s", async (_, type) => {
    const person = new Person("y\ny", "n", "");
    const rig = person.guarding();
    expect(await rig.call({ eur: 5 })).toBe("ran");
    type(person.input);
    expect(await rig.call({ eur: 6 }, { id: "2" })).toMatch(/^rejected/);
    expect(rig.ran).toEqual([{ eur: 5 }]);
  });

  it("runs nothing at no, and gives the model the reason", async () => {
    expect(await new Person("n", "too much").guarding().call({})).toBe("rejected: too much");
    expect(await new Person("no", "").guarding().call({})).toMatch(/^rejected/);
  });

  it("runs the arguments that the person has edited, once they are JSON", async () => {
    const rig = new Person("e", "{oops", "e", '{"eur":1}').guarding();
    expect(await rig.call({ eur: 5 })).toBe("ran");
    expect(rig.ran).toEqual([{ eur: 1 }]);
  });

  it("gives a response in the tool's place", async () => {
    const rig = new Person("r", "paid by hand").guarding();
    expect(await rig.call({})).toBe('responded: "paid by hand"');
    expect(rig.ran).toEqual([]);
  });

  it("asks no more in a session after always, where the rule allows that", async () => {
    const person = new Person("a");
    const rig = person.guarding({ always: true });
    expect(await rig.call({}, { id: "1" })).toBe("ran");
    expect(await rig.call({}, { id: "2" })).toBe("ran");
    expect(person.seen.match(/\(a\)lways/g)).toHaveLength(1);
  });

  it("offers and takes only what the rule allows, and the run waits after five answers that are none", async () => {
    const person = new Person("e", "a", "r", "perhaps", "", "y");
    const rig = person.guarding({ allowedDecisions: ["approve", "reject"] });
    expect(await rig.call({})).toBe("waits: approve reject");
    expect(person.seen).not.toMatch(/\(e\)dit|\(a\)lways|\(r\)espond/);
    expect(rig.ran).toEqual([]);
  });

  it("lets the run wait where the input ends", async () => {
    const person = new Person();
    person.output.once("data", () => setImmediate(() => person.input.end()));
    expect(await person.guarding().call({})).toBe("waits: approve edit reject respond");
  });

  it("asks about calls at the same time one after the other", async () => {
    const person = new Person("y", "n", "");
    const rig = person.guarding();
    const ended = await Promise.all([rig.call({ n: 1 }, { id: "1" }), rig.call({ n: 2 }, { id: "2" })]);
    expect(ended.map((each) => each.slice(0, 3))).toEqual(["ran", "rej"]);
  });

  it("shows escape sequences, and what hides or turns text around, spelt out", async () => {
    const person = new Person("n", "");
    await person.guarding({ description: "Pay\u001b[2K?" }).call({ to: "\u001b[2Jann\u202egro.live\u009b\u200b" });
    expect(person.seen).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(person.seen).toContain("\\u202egro.live");
  });

  it("cuts long arguments, and says how much is left out", async () => {
    const person = new Person("n", "");
    await person.guarding().call({ text: "x".repeat(10_000) });
    expect(person.seen).toMatch(/… \(\d+ more characters\)/);
    expect(person.seen.length).toBeLessThan(5_000);
  });

  it("is left when the run is aborted", async () => {
    const person = new Person();
    const stop = new AbortController();
    const ask = terminal({ input: person.input, output: person.output, by: "ann" });
    const rig = new Rig([humanInTheLoop({ pay: true }, { ask })], { signal: stop.signal });
    person.output.once("data", () => stop.abort(new Error("stopped")));
    await expect(rig.call({})).rejects.toThrow("stopped");
    expect(person.input.listenerCount("keypress")).toBe(0);
  });

  it("is refused where the input is no terminal", () => {
    const refused = () => terminal({ input: new PassThrough() });
    expect(refused).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_TERMINAL" }));
    expect(() => terminal({ by: "" } as never)).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_OPTION" }));
    expect(() => terminal({ typo: 1 } as never)).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_OPTION" }));
  });
});
