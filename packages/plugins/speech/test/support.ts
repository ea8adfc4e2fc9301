import { createAgent, type Model } from "@suite/agent";
import type { Delta, Notification, Plugin } from "@suite/core";
import type { AudioChunk, Synthesizer } from "@suite/speech";

/** A model that says these texts, piece by piece, a block each. */
export const saying = (...blocks: readonly (readonly string[])[]): Model => ({
  name: "scripted",
  async generate() {
    return {
      message: { role: "assistant", parts: blocks.map((pieces) => ({ type: "text", content: pieces.join("") })) },
    };
  },
  async *stream(): AsyncGenerator<Delta, void> {
    for (const [index, pieces] of blocks.entries()) {
      for (const content of pieces) yield { type: "part", at: `t${index}`, part: { type: "text", content } };
      yield { type: "part_end", at: `t${index}` };
    }
    yield { type: "finish", finishReason: "stop" };
  },
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A synthesiser whose audio is the text itself, and what it was asked to speak. */
export function speaking(
  audio: Synthesizer["synthesize"] = (text) => bytes(text),
): Synthesizer & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    mediaType: "audio/test",
    synthesize(text, options) {
      asked.push(text);
      return audio(text, options);
    },
  };
}

/** An agent with these plugins, and what they told. */
export function agentOf(model: Model, ...plugins: readonly Plugin[]) {
  const told: Notification[] = [];
  const observe = (notification: Notification) => void told.push(notification);
  return { told, agent: createAgent({ name: "a", model, plugins: [{ name: "observer", observe }, ...plugins] }) };
}

export const audioOf = (delta: Delta): AudioChunk | undefined =>
  delta.type === "event" && delta.name === "audio" ? (delta.value as AudioChunk) : undefined;

/** A stream in short: texts as they are, audio as its block, its decoded data and its end. */
export async function heard(stream: AsyncIterable<Delta>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const delta of stream) {
    const audio = audioOf(delta);
    if (audio !== undefined)
      all.push(`${audio.block}[${audio.index}] ${audio.end ?? Buffer.from(audio.data, "base64").toString()}`);
    else if (delta.type === "part" && delta.part.type === "text") all.push(delta.part.content);
  }
  return all;
}
