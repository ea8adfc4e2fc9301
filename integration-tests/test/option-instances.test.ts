import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { createAgent } from "@suite/agent";
import { costBudget, type ModelPrice } from "@suite/limits";
import { timing } from "@suite/logging";
import { scriptedModel } from "@suite/testkit";
import { publishable, root } from "../../scripts/workspaces.mjs";

/** A statement that checks options and leaves them as they are: methods taken out of them lose their `this`. */
const ignored =
  /^[ ]*(?:if \(.*\) )?check(?:Options|Names|LogOptions|VerifyOptions)\((?:["`][^"`]+["`]|of), (\w+)[,)]/gm;

/** Options without methods, or those whose methods are called on them. */
const plain = new Set(["memory", "retrieval", "sandbox", "container", "stored", "definition", "restore"]);

it("a function that takes options goes on with what their check returns", () => {
  const files = publishable()
    .map(({ dir }) => join(dir, "src"))
    .filter((dir) => !dir.includes("testkit") && existsSync(join(root, dir)))
    .flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: "utf8" }).map((file) => join(dir, file)),
    )
    .filter((path) => path.endsWith(".ts"));
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(ignored)]
      .filter(({ 1: name = "" }) => !plain.has(name))
      .map(({ 0: statement }) => `${path}: ${statement.trim()}`),
  );
  expect(wrong).toEqual([]);
});

it("options that are an instance of a class keep their methods and private fields", async () => {
  const seen: string[] = [];
  class Timings {
    readonly #seen = seen;
    onTiming({ kind }: { readonly kind: string }): void {
      this.#seen.push(kind);
    }
  }
  class Budget {
    readonly #tenant = "acme";
    readonly budget = 5;
    readonly #price = { input: 1, output: 1, maxOutputTokens: 1000 };
    prices(): ModelPrice {
      seen.push("priced");
      return this.#price;
    }
    tenant(): string {
      seen.push(this.#tenant);
      return this.#tenant;
    }
  }
  const model = scriptedModel("Hi.");
  const agent = createAgent({ name: "desk", model, plugins: [timing(new Timings()), costBudget(new Budget())] });
  expect(await agent.run("Hello")).toMatchObject({ text: "Hi." });
  expect(seen).toEqual(expect.arrayContaining(["acme", "priced", "model", "agent"]));
});
