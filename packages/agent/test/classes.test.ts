import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import type { CallNext, Invocation, Plugin } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

const answers = [{ toolCalls: [{ id: "1", name: "look", arguments: {} }] }, { text: "Done." }];

/** A tool as a class: its function is on the prototype, and needs its private field. */
class Look {
  readonly name = "look";
  readonly description = "Looks.";
  #looked = 0;
  get looked(): number {
    return this.#looked;
  }
  execute(): string {
    this.#looked++;
    return "seen";
  }
}

describe("an instance of a class", () => {
  it.each([
    ["as a tool", (look: Look) => look],
    ["in defineTool", (look: Look) => defineTool(look)],
  ])("runs %s, with its this", async (_, tool) => {
    const look = new Look();
    const agent = createAgent({ name: "desk", model: scriptedModel(...answers), tools: [tool(look)] });
    expect(await agent.run("Look.")).toMatchObject({ status: "completed", text: "Done." });
    expect(look.looked).toBe(1);
  });

  it("is what an agent's options may be, also when plugins are added", async () => {
    const called: string[] = [];
    class Guard implements Plugin {
      readonly name = "guard";
      async model({ request }: Invocation<"model">, callNext: CallNext): Promise<void> {
        called.push(request.model);
        await callNext();
      }
    }
    class Options {
      readonly name = "desk";
      readonly #model = scriptedModel({ text: "Hello." });
      get model() {
        return this.#model;
      }
      get plugins(): readonly Plugin[] {
        return [new Guard()];
      }
    }
    const agent = createAgent(new Options()).withPlugins([{ name: "other", model: (_, next) => next() }]);
    expect(await agent.run("Hi.")).toMatchObject({ status: "completed", text: "Hello." });
    expect(called).toHaveLength(1);
  });

  it("with process, as a layer, is refused by createAgent with what to write", () => {
    class Layer {
      readonly name = "layer";
      async process(_: unknown, callNext: CallNext): Promise<void> {
        await callNext();
      }
    }
    const plugins = [new Layer()] as unknown as readonly Plugin[];
    expect(() => createAgent({ name: "desk", model: scriptedModel(), plugins })).toThrow(
      'Write { name: "layer", model: layer }',
    );
  });
});
