import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { type Synthesizer, speech } from "@suite/speech";
import { commandSpeech } from "@suite/speech/node";
import { openaiSpeech } from "@suite/speech/openai";
import { agentOf, audioOf, heard, saying } from "./support.js";

const signal = new AbortController().signal;

async function bytesOf(synthesizer: Synthesizer, text: string, options = { signal }): Promise<Buffer> {
  const audio = await synthesizer.synthesize(text, options);
  if (audio instanceof Uint8Array) return Buffer.from(audio);
  const all: Uint8Array[] = [];
  for await (const piece of audio) all.push(piece);
  return Buffer.concat(all);
}

const installed = spawnSync("espeak-ng", ["--version"]).status === 0;
if (!installed && process.env.CI) throw new Error("CI has no espeak-ng: real speech is not tested");
if (!installed) console.info("espeak-ng is not installed: the tests with real speech are left out");
const withVoice = installed ? it : it.skip;

describe("commandSpeech", () => {
  withVoice("speaks with a real voice: a WAV of a length that grows with the text", async () => {
    const voice = commandSpeech({ command: "espeak-ng", args: ["--stdout"] });
    const [short, long] = [await bytesOf(voice, "Hello."), await bytesOf(voice, "Hello. ".repeat(8))];
    expect([short.toString("latin1", 0, 4), short.toString("latin1", 8, 12)]).toEqual(["RIFF", "WAVE"]);
    const seconds = (wav: Buffer) => (wav.length - 44) / wav.readUInt32LE(28);
    expect(seconds(short)).toBeGreaterThan(0.3);
    expect(seconds(short)).toBeLessThan(3);
    expect(seconds(long)).toBeGreaterThan(3 * seconds(short));
  });

  withVoice("speaks what an agent says, into its stream", async () => {
    const voice = commandSpeech({ command: "espeak-ng", args: ["--stdout"] });
    const pieces: Buffer[] = [];
    for await (const delta of agentOf(
      saying(["Your order ", "has shipped."]),
      speech({ synthesizer: voice }),
    ).agent.stream("go")) {
      const audio = audioOf(delta);
      if (audio !== undefined) pieces.push(Buffer.from(audio.data, "base64"));
    }
    expect(Buffer.concat(pieces).toString("latin1", 0, 4)).toBe("RIFF");
  });

  it("gives the text on standard input alone: no shell, no argument", async () => {
    const cat = commandSpeech({ command: "cat" });
    const text = "$(touch /tmp/x); `ls` --help é";
    expect((await bytesOf(cat, text)).toString()).toBe(text);
  });

  it.each([
    ["is not there", { command: "suite-no-such-command" }, /could not be started/],
    ["fails", { command: "node", args: ["-e", "process.exit(3)"] }, /ended with code 3/],
  ])("says of a command that %s what happened, and nothing of the text", async (_, options, message) => {
    const spoken = bytesOf(commandSpeech(options), "a secret");
    await expect(spoken).rejects.toMatchObject({ code: "ERR_SPEECH_COMMAND" });
    await expect(spoken).rejects.toThrow(message);
    await expect(spoken).rejects.not.toThrow("secret");
  });

  it("ends the command with its signal, and when it is left", async () => {
    const endless = commandSpeech({
      command: "node",
      args: ["-e", "setInterval(() => process.stdout.write(process.pid + ' '), 5)"],
    });
    const pieces = (await endless.synthesize("x", { signal })) as AsyncIterable<Uint8Array>;
    let pid = 0;
    for await (const piece of pieces) {
      pid = Number.parseInt(Buffer.from(piece).toString(), 10);
      break;
    }
    await expect(async () => {
      for (let tries = 0; tries < 400; tries++) {
        process.kill(pid, 0);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }).rejects.toMatchObject({ code: "ESRCH" });
    const controller = new AbortController();
    const spoken = bytesOf(endless, "x", { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(spoken).rejects.toMatchObject({ name: "AbortError" });
  });

  it.each<[object]>([[{}], [{ command: "" }], [{ command: "x", args: [1] }], [{ command: "x", voice: "y" }]])(
    "refuses options that make no sense: %j",
    (options) => {
      expect(() => commandSpeech(options as never)).toThrow(expect.objectContaining({ code: "ERR_SPEECH_OPTION" }));
    },
  );
});

describe("openaiSpeech", () => {
  it("calls the speech API through the openai client, and streams its audio", async () => {
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      bodies.push([request.url, JSON.parse(body)]);
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.write("one ");
      setTimeout(() => response.end("two"), 10);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const synthesizer = openaiSpeech("gpt-4o-mini-tts", {
        apiKey: "none",
        baseURL,
        voice: "coral",
        instructions: "Slowly.",
      });
      const all = await heard(agentOf(saying(["Hello."]), speech({ synthesizer })).agent.stream("go"));
      expect(all).toEqual(["Hello.", "1.t0[0] one ", "1.t0[1] two", "1.t0[2] spoken"]);
      const body = {
        model: "gpt-4o-mini-tts",
        input: "Hello.",
        voice: "coral",
        response_format: "mp3",
        instructions: "Slowly.",
      };
      expect(bodies).toEqual([["/v1/audio/speech", body]]);
      expect(synthesizer.mediaType).toBe("audio/mpeg");
    } finally {
      server.close();
    }
  });

  it("fails with the SDK's own error, which ends no reply", async () => {
    const server = createServer((_, response) => response.writeHead(429).end("{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const { agent, told } = agentOf(
        saying(["Hello."]),
        speech({ synthesizer: openaiSpeech("m", { apiKey: "k", baseURL }) }),
      );
      expect(await heard(agent.stream("go"))).toEqual(["Hello.", "1.t0[0] failed"]);
      expect(told.find((each) => each.type === "fault")).toMatchObject({ error: { status: 429 } });
    } finally {
      server.close();
    }
  });
});
