/** Answers that are spoken while they stream, as `TTSMiddleware` of AgentScope. */
import { createAgent } from "@suite/agent";
import { type AudioChunk, speech } from "@suite/speech";
import { scriptedModel } from "@suite/testkit";

const voice = { mediaType: "audio/L8", synthesize: (text: string) => new Uint8Array(text.length) };

// Each sentence is spoken as soon as it is there. Real voices: `openaiSpeech`, or `commandSpeech` for one of the machine.
const plugins = [speech({ synthesizer: voice, speak: "sentence" })];

const agent = createAgent({
  name: "assistant",
  model: scriptedModel({ chunks: ["Good day. It ", "rains."] }),
  plugins,
});
for await (const delta of agent.stream("How is the weather?")) {
  if (delta.type === "event" && delta.name === "audio") console.log("audio:", (delta.value as AudioChunk).data);
}
