import { describe, expect, it } from "@jest/globals";
import { type AudioChunk, type Synthesizer, speech } from "@suite/speech";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { agentOf, audioOf, heard, saying, speaking } from "./support.js";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("speech", () => {
  it("speaks each block of text when it is whole, keyed by the block, and ends it", async () => {
    const synthesizer = speaking();
    const { agent } = agentOf(saying(["Hello ", "there."], ["Bye."]), speech({ synthesizer }));
    const all = await heard(agent.stream("go"));
    expect(synthesizer.asked).toEqual(["Hello there.", "Bye."]);
    expect(all.filter((each) => !each.startsWith("1."))).toEqual(["Hello ", "there.", "Bye."]);
    expect(all.filter((each) => each.startsWith("1."))).toEqual([
      "1.t0[0] Hello there.",
      "1.t0[1] spoken",
      "1.t1[0] Bye.",
      "1.t1[1] spoken",
    ]);
  });

  it("speaks each sentence while the text streams", async () => {
    const synthesizer = speaking();
    const plugin = speech({ synthesizer, speak: "sentence", locale: "en" });
    const pieces = ["One is h", "ere. Two", " costs 3.5", " euros! And", " three", "\nfour"];
    const all = await heard(agentOf(saying(pieces), plugin).agent.stream("go"));
    expect(synthesizer.asked).toEqual(["One is here. ", "Two costs 3.5 euros! ", "And three\n", "four"]);
    expect(all.indexOf("1.t0[0] One is here. ")).toBeLessThan(all.indexOf("\nfour"));
  });

  it("delays no text: slow speech follows the text, and the reply ends with it", async () => {
    const order: string[] = [];
    const synthesizer = speaking(async (text) => {
      await sleep(30);
      order.push(`spoken ${text}`);
      return new Uint8Array(1);
    });
    const stream = agentOf(saying(["Hello."], ["there"]), speech({ synthesizer })).agent.stream("go");
    for await (const delta of stream)
      if (delta.type === "part" && delta.part.type === "text") order.push(delta.part.content);
    expect(order).toEqual(["Hello.", "there", "spoken Hello.", "spoken there"]);
  });

  it("changes nothing else of the answer", async () => {
    const bare = await agentOf(saying(["Hello ", "there."])).agent.stream("go").result;
    const spoken = await agentOf(saying(["Hello ", "there."]), speech({ synthesizer: speaking() })).agent.stream("go")
      .result;
    const { runId, durationMs, byAgent } = bare;
    expect({ ...spoken, runId, durationMs, byAgent, values: bare.values }).toEqual(bare);
  });

  it("asks for no speech of white space, nor of an answer that nobody hears", async () => {
    const synthesizer = speaking();
    const { agent } = agentOf(saying([" \n", " "]), speech({ synthesizer }));
    expect(await heard(agent.stream("go"))).toEqual([" \n", " "]);
    await agentOf(saying(["Hello."]), speech({ synthesizer })).agent.run("go");
    expect(synthesizer.asked).toEqual([]);
  });

  it("delivers audio outside of the stream if configured, also for a complete answer", async () => {
    const chunks: AudioChunk[] = [];
    const onAudio = (chunk: AudioChunk) => void chunks.push(chunk);
    await agentOf(saying(["Hello."]), speech({ synthesizer: speaking(), onAudio })).agent.run("go");
    expect(chunks.map(({ data, end }) => end ?? atob(data))).toEqual(["Hello.", "spoken"]);
  });

  it("cuts long audio into pieces of 64 KiB, and joins to all of it", async () => {
    const audio = Uint8Array.from({ length: 150_000 }, (_, index) => index % 251);
    const synthesizer = speaking(async function* () {
      yield audio.subarray(0, 1);
      yield audio.subarray(1);
    });
    const got: Buffer[] = [];
    for await (const delta of agentOf(saying(["Long."]), speech({ synthesizer })).agent.stream("go")) {
      const data = audioOf(delta)?.data;
      if (data !== undefined) got.push(Buffer.from(data, "base64"));
    }
    expect(Buffer.concat(got).equals(audio)).toBe(true);
    expect(Math.max(...got.map(({ length }) => length))).toBe(64 * 1024);
  });

  it("loses no character and adds none, wherever a text is cut, by blocks and by sentences", async () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", " ", ".", "!", "\n", "é", "🌦️", "。") }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom("block", "sentence"), async (said, speak) => {
        const synthesizer = speaking();
        await heard(agentOf(saying(said), speech({ synthesizer, speak: speak as "block" })).agent.stream("go"));
        const spoken = (text: string) => text.replaceAll(/\s/g, "");
        expect(spoken(synthesizer.asked.join(""))).toBe(spoken(said.join("")));
      }),
      { numRuns: runs(100) },
    );
  });

  it("speaks a long sentence in pieces of words", async () => {
    const synthesizer = speaking();
    const text = "word ".repeat(1000);
    await heard(agentOf(saying([text]), speech({ synthesizer, speak: "sentence" })).agent.stream("go"));
    expect(synthesizer.asked.join("")).toBe(text);
    expect(Math.max(...synthesizer.asked.map(({ length }) => length))).toBeLessThanOrEqual(2000);
    expect(synthesizer.asked.every((piece) => piece.endsWith(" "))).toBe(true);
  });

  it("speaks no more of a block than it may", async () => {
    const synthesizer = speaking();
    await heard(agentOf(saying(["123456", "789"]), speech({ synthesizer, maxCharacters: 4 })).agent.stream("go"));
    expect(synthesizer.asked).toEqual(["1234"]);
  });
});

describe("a synthesiser that fails", () => {
  const broken: [string, Synthesizer["synthesize"], string | undefined][] = [
    [
      "throws",
      () => {
        throw new TypeError("no voice");
      },
      undefined,
    ],
    ["rejects", () => Promise.reject(new TypeError("no voice")), undefined],
    [
      "breaks off",
      async function* () {
        yield new Uint8Array(3);
        throw new TypeError("cut");
      },
      undefined,
    ],
    ["hangs", () => new Promise(() => {}), "ERR_SPEECH_TIMEOUT"],
    [
      "hangs between pieces",
      async function* () {
        yield new Uint8Array(3);
        await new Promise(() => {});
      },
      "ERR_SPEECH_TIMEOUT",
    ],
    ["gives no bytes", () => "audio" as never, "ERR_SPEECH_AUDIO"],
    ["gives too many", () => new Uint8Array(2000), "ERR_SPEECH_AUDIO"],
  ];

  it.each(broken)("and %s ends the speech of its block, and not the reply", async (_how, synthesize, code) => {
    const texts = (delta: string) => !delta.startsWith("1.");
    const synthesizer = speaking((text, options) => (text === "Bye." ? new Uint8Array(1) : synthesize(text, options)));
    const plugin = speech({ synthesizer, timeout: 30, maxBytes: 1000 });
    const { agent, told } = agentOf(saying(["Hello."], ["Bye."]), plugin);
    const stream = agent.stream("go");
    const all = await heard(stream);
    expect(all.filter(texts)).toEqual(["Hello.", "Bye."]);
    expect(all.filter((each) => /failed|spoken/.test(each)).map((each) => each.replace(/\[\d\]/, ""))).toEqual([
      "1.t0 failed",
      "1.t1 spoken",
    ]);
    expect(await stream.result).toMatchObject({ status: "completed", text: "Hello.Bye." });
    expect(told.filter(({ type }) => type === "decision")).toMatchObject([{ decision: "speech_failed" }]);
    const [fault] = told.filter((each) => each.type === "fault");
    if (code === undefined) expect(fault?.error).toBeInstanceOf(TypeError);
    else expect(fault?.error).toMatchObject({ name: "SpeechError", code });
  });

  it("is told to stop when its time is over", async () => {
    let given: AbortSignal | undefined;
    const synthesizer = speaking((_, { signal }) => {
      given = signal;
      return new Promise(() => {});
    });
    await heard(agentOf(saying(["Hello."]), speech({ synthesizer, timeout: 20 })).agent.stream("go"));
    expect(given?.aborted).toBe(true);
  });

  it("does not keep a reader who leaves, and is told to stop then", async () => {
    let given: AbortSignal | undefined;
    const synthesizer = speaking((_, { signal }) => {
      given = signal;
      return new Promise(() => {});
    });
    const stream = agentOf(saying(["Hello."]), speech({ synthesizer })).agent.stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    const pull = reader.next();
    await reader.return?.();
    expect(await pull).toMatchObject({ done: true });
    expect(given?.aborted ?? true).toBe(true);
  });

  it("so does a listener that throws: a fault tells it", async () => {
    const onAudio = () => {
      throw new TypeError("mine");
    };
    const { agent, told } = agentOf(saying(["Hello."]), speech({ synthesizer: speaking(), onAudio }));
    expect(await agent.run("go")).toMatchObject({ text: "Hello." });
    expect(told.filter(({ type }) => type === "fault")).toHaveLength(2);
  });
});

describe("options of speech", () => {
  it.each<[string, object]>([
    ["synthesizer", {}],
    ["synthesizer", { synthesizer: { mediaType: "x" } }],
    ["speak", { speak: "word" }],
    ["locale", { locale: "not a tag" }],
    ["maxCharacters", { maxCharacters: 0 }],
    ["maxBytes", { maxBytes: Number.NaN }],
    ["timeout", { timeout: -1 }],
    ["onAudio", { onAudio: true }],
    ["voice", { voice: "alloy" }],
  ])("%s that makes no sense is refused: %j", (_, options) => {
    const given =
      "synthesizer" in options || Object.keys(options).length === 0 ? options : { synthesizer: speaking(), ...options };
    expect(() => speech(given as never)).toThrow(expect.objectContaining({ code: "ERR_SPEECH_OPTION" }));
  });
});
