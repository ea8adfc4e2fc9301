import { type Message, message, type Part, text, toolCall, toolCallResponse } from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { expectEqual, expectThat } from "../expect.js";
import { idle, inBothModes, type ModelScenario, scenario } from "./scenario.js";

const question = message("user", "What is the weather?");
/** A PNG of one pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: Part = { type: "blob", modality: "image", mimeType: "image/png", content: png };

const expectSent = (sent: string, ...values: readonly string[]): void => {
  for (const value of values) expectThat(sent.includes(value), `the request does not contain ${JSON.stringify(value)}`);
};

/** A history with these parts of the assistant, a call and its result. */
const called = (parts: readonly Part[], result: unknown = "sunny"): readonly Message[] => [
  question,
  message("assistant", [...parts, toolCall("call_a", "weather", { city: "Köln" })]),
  message("tool", [toolCallResponse("call_a", result)]),
];

/** The promises about the requests that a client sends. */
export const requests: readonly ModelScenario[] = [
  ...inBothModes(
    "a request contains the model, and the mark of a stream; the client does not change it",
    async (rig) => {
      rig.script({ text: "So" });
      await rig.ask({ model: "another", messages: [message("system", "Be brief."), question] });
      expectEqual(rig.requests.length, 1, "the number of requests");
      const { model, stream = false } = rig.body;
      if (model !== undefined) expectEqual(model, "another", "the model");
      if (rig.streaming) expectEqual(stream, true, "the mark of a stream");
      expectSent(rig.sent, "Be brief.", "What is the weather?");
    },
  ),

  ...inBothModes("tools are sent with name, description and parameters, and the choice of one", async (rig) => {
    const parameters = { type: "object", properties: { city_of_user: { type: "string" } } };
    rig.script({ text: "So" });
    const tools = [{ name: "weather", description: "Tells the weather.", parameters }, { name: "clock" }];
    await rig.ask({ tools, toolChoice: { name: "clock" } });
    expectSent(rig.sent, '"weather"', "Tells the weather.", "city_of_user", '"clock"');
    const { tools: _, ...rest } = rig.body;
    expectThat(JSON.stringify(rest).includes('"clock"'), "the choice is not sent");
  }),

  ...inBothModes(
    "calls and their results are sent back, those that failed and those without content too",
    async (rig) => {
      const calls = ["a", "b", "c"].map((id) => toolCall(`call_${id}`, "weather", id === "c" ? undefined : { of: id }));
      const results = [
        toolCallResponse("call_a", { degrees: 21 }),
        toolCallResponse("call_b", "The station is closed.", { isError: true }),
        toolCallResponse("call_c", undefined),
      ];
      const sent = await rig.sentFor([
        question,
        message("assistant", [text("I look."), ...calls]),
        message("tool", results),
      ]);
      expectSent(sent, "I look.", "call_a", "call_b", "call_c", "degrees", "21", "The station is closed.");
    },
  ),

  ...inBothModes("a call whose arguments are not JSON is sent back", async (rig) => {
    const calls = [toolCall("call_a", "weather", "{broken")];
    const results = [toolCallResponse("call_a", "Not JSON.", { isError: true })];
    expectSent(await rig.sentFor([question, message("assistant", calls), message("tool", results)]), "{broken");
  }),

  ...inBothModes("settings are sent under the provider's names", async (rig) => {
    rig.script({ text: "So" });
    await rig.ask({ settings: { temperature: 0.25, maxTokens: 4321 } });
    expectSent(rig.sent, "0.25", "4321");
    expectThat(!rig.sent.includes("maxTokens"), "a setting has the suite's name");
  }),

  ...inBothModes(
    "an output schema is sent",
    async (rig) => {
      const properties = { answer_in_words: { type: "string" } };
      const outputSchema = { type: "object", properties, required: ["answer_in_words"], additionalProperties: false };
      rig.script({ text: "{}" });
      await rig.ask({ outputSchema });
      expectSent(rig.sent, "answer_in_words");
    },
    ["outputSchema"],
  ),

  ...inBothModes(
    "an image is sent with its bytes, by a user and in the result of a tool",
    async (rig) => {
      expectSent(await rig.sentFor([message("user", [text("See."), image])]), png);
      expectSent(await rig.sentFor(called([], toolContent(["The map:", image as never]))), png, "The map:");
    },
    ["images"],
  ),

  ...inBothModes(
    "a file that the provider does not take is refused by its place, before anything is sent",
    async (rig) => {
      const secret = "c2VjcmV0IGJ5dGVz";
      const video: Part = { type: "blob", modality: "video", mimeType: "video/x-unknown", content: secret };
      const failed = await rig.failure(() => rig.ask({ messages: [question, message("user", [video])] }));
      expectEqual(rig.requests.length, 0, "the number of requests");
      const errorText = String(failed.message);
      expectThat(errorText.includes("messages[1].parts[0]"), "the error does not name the place of the part");
      expectThat(!errorText.includes(secret), "the error contains the file");
    },
  ),

  ...inBothModes("a file in a tool's result that the provider does not take does not end the run", async (rig) => {
    const broken: Part = { type: "blob", modality: "image", mimeType: "image/png", content: "no base64!" };
    expectSent(await rig.sentFor(called([], toolContent(["The map:", broken as never]))), "The map:");
  }),

  ...inBothModes("reasoning of another provider is left out, and its history is accepted", async (rig) => {
    const others: Part[] = [
      { type: "reasoning", content: "Not signed." },
      {
        type: "reasoning",
        content: "Signed elsewhere.",
        signature: "x",
        native: { from: "other", reasoning_detail: {} },
      },
    ];
    const sent = await rig.sentFor(called([...others, text("I look.")]));
    expectSent(sent, "I look.", "call_a");
    expectThat(!sent.includes("Signed elsewhere."), "reasoning that another provider signed was sent");
  }),

  ...inBothModes(
    "what the provider signed goes back to it",
    async (rig) => {
      const settings = rig.subject.signing;
      rig.script({
        reasoning: { content: "Two tools help.", signature: "sealed+/==" },
        toolCalls: [{ id: "call_a", name: "weather", arguments: {} }],
      });
      const { message: reply } = await rig.ask({ ...(settings !== undefined && { settings }) });
      const stored = JSON.parse(JSON.stringify(reply)) as Message;
      const sent = await rig.sentFor([question, stored, message("tool", [toolCallResponse("call_a", "sunny")])]);
      expectSent(sent, "sealed+/==", "Two tools help.");
    },
    ["signatures"],
  ),

  scenario("a history is sent as the same each time", async (rig) => {
    const messages = called([text("I look.")]);
    expectEqual(await rig.sentFor(messages), await rig.sentFor(messages), "the request");
  }),

  ...inBothModes("headers that plugins give are sent to the server", async (rig) => {
    rig.script({ text: "So" });
    const urls: string[] = [];
    const carrierFor = (url: string) => {
      urls.push(url);
      return { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
    };
    await rig.ask({}, { signal: idle(), carrierFor });
    expectThat(urls.every((url) => URL.canParse(url)) && urls.length > 0, "the client did not ask with its URL");
    expectEqual(rig.requests[0]?.headers.traceparent, carrierFor("http://x").traceparent, "the header");
  }),
];
