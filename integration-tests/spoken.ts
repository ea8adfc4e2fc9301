import { expect, it } from "@jest/globals";
import { type AudioChunk, type Synthesizer, speech } from "@suite/speech";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

/** Holds speech in one framework: what an agent says is spoken, and a synthesiser that fails ends nothing. */
export function describeSpeech(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`speech in ${name}`, subjectOf, ({ subject, stream }) => {
    const run = async (synthesize: Synthesizer["synthesize"]) => {
      const chunks: AudioChunk[] = [];
      const onAudio = (chunk: AudioChunk) => void chunks.push(chunk);
      const plugin = speech({ synthesizer: { mediaType: "audio/test", synthesize }, onAudio });
      const answers = [{ text: "It has shipped." }];
      const seen = await subject.run({ plugins: [plugin], answers, input: "go", tools: [], stream });
      return { seen, chunks };
    };

    it("speaks the answer, once, and changes nothing of it", async () => {
      const { seen, chunks } = await run((text) => new TextEncoder().encode(text));
      expect(seen).toMatchObject({ text: "It has shipped." });
      expect(chunks.map(({ data, end }) => end ?? atob(data))).toEqual(["It has shipped.", "spoken"]);
    });

    it("leaves the answer whole where the synthesiser fails", async () => {
      const { seen, chunks } = await run(() => Promise.reject(new TypeError("no voice")));
      expect(seen.error).toBeUndefined();
      expect(seen.text).toBe("It has shipped.");
      expect(chunks.map(({ end }) => end)).toEqual(["failed"]);
    });
  });
}
