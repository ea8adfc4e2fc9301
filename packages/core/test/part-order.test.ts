import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Emit } from "../src/contract/outcome.js";
import { assembleReply } from "../src/engine/codec.js";
import type { Delta } from "../src/messages/delta.js";
import { type HeldText, PartOrder } from "../src/parts.js";

/** Lets out only what stands before the last space, as a guard does that waits for the end of a word. */
class Words implements HeldText {
  #held = "";
  #began = false;

  constructor(readonly at: string) {}

  get undecided(): number {
    return this.#held.length;
  }

  push(piece: string, emit: Emit<Delta>): void {
    this.#held += piece;
    const end = this.#held.lastIndexOf(" ") + 1;
    this.#give(this.#held.slice(0, end), emit);
    this.#held = this.#held.slice(end);
  }

  end(emit: Emit<Delta>): void {
    this.#give(this.#held, emit);
    this.#held = "";
  }

  #give(content: string, emit: Emit<Delta>): void {
    // The first piece goes out even if it is empty: it says where the part stands.
    if (content === "" && this.#began) return;
    this.#began = true;
    emit(piece(this.at, content));
  }
}

const piece = (at: string, content: string): Delta => ({ type: "part", at, part: { type: "text", content } });
const end = (at: string): Delta => ({ type: "part_end", at });
const event = (value: unknown): Delta => ({ type: "event", name: "note", value });

const wordByWord = () =>
  new PartOrder<Words>((delta, slot, emit) => {
    if (delta.type !== "part" || delta.part.type !== "text") emit(delta);
    else slot.text("text", () => new Words(delta.at)).push(delta.part.content, emit);
  });

/** The deltas that come out for these; `null` marks where the answer ended. */
function through(deltas: readonly Delta[]): (Delta | null)[] {
  const out: (Delta | null)[] = [];
  const order = wordByWord();
  for (const delta of deltas) order.accept(delta, (given) => out.push(given));
  out.push(null);
  order.end((given) => out.push(given));
  return out;
}

const textsOf = (deltas: readonly (Delta | null)[]): string =>
  deltas
    .map((delta) => {
      if (delta === null) return "|";
      if (delta.type === "part") return "content" in delta.part ? `${delta.at}:${delta.part.content}` : delta.at;
      return delta.type === "part_end" ? `${delta.at}.` : delta.type;
    })
    .join(" ");

describe("the order of parts in a stage that holds text back", () => {
  it("releases a text where its part ends", () => {
    expect(textsOf(through([piece("a", "on Monday"), end("a"), piece("b", "at ten ")]))).toBe(
      "a:on  a:Monday a. b:at ten  |",
    );
  });

  it("lets nothing of a later part overtake a text that is held back", () => {
    const given = through([piece("a", "on Mon"), piece("b", "at ten "), event(1), piece("a", "day at"), end("a")]);
    expect(textsOf(given)).toBe("a:on  a:Monday  b:at ten  event a:at a. |");
  });

  it("releases what came before the end of a part before that end", () => {
    const source: Delta = { type: "part", at: "s", part: { type: "native", value: "a source" } };
    expect(through([piece("t", "one two"), source, end("t")])).toEqual([
      piece("t", "one "),
      piece("t", "two"),
      source,
      end("t"),
      null,
    ]);
  });

  it("lets an earlier part go on while a later one holds text back", () => {
    expect(textsOf(through([piece("a", "so "), piece("b", "ten"), piece("a", "it "), end("a"), end("b")]))).toBe(
      "a:so  b: a:it  a. b:ten b. |",
    );
  });

  it("releases held deltas, and the finish delta after them, if no end of a part was sent", () => {
    expect(textsOf(through([piece("a", "x"), piece("b", "y"), { type: "finish" }]))).toBe("a: | a:x b: b:y finish");
  });

  it("keeps parts, order and texts of every answer, and lets nothing overtake what came before it", () => {
    const at = fc.constantFrom("a", "b", "c", "d");
    const content = fc.stringMatching(/^[xy ]{0,4}$/);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(at, content).map(([place, text]) => piece(place, text)) },
      { weight: 2, arbitrary: at.map(end) },
      { weight: 1, arbitrary: fc.nat().map(event) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        // A part that has ended gets no more pieces.
        const over = new Set<string>();
        const deltas = steps.filter((delta) => {
          if (!("at" in delta)) return true;
          if (over.has(delta.at)) return false;
          if (delta.type === "part_end") over.add(delta.at);
          return true;
        });
        const given = through(deltas).filter((delta) => delta !== null);
        const spoken = (all: readonly Delta[]) => assembleReply(all).message.parts.filter((part) => "content" in part);
        expect(spoken(given)).toEqual(spoken(deltas));
        expect(given.filter(({ type }) => type === "part_end" || type === "event").length).toBe(
          deltas.filter(({ type }) => type === "part_end" || type === "event").length,
        );
        expectNothingOvertaken(deltas, given);
      }),
    );
  });
});

/** Checks each event: all text that came before it, of whatever part, went out before it. */
function expectNothingOvertaken(came: readonly Delta[], went: readonly Delta[]): void {
  const before = (deltas: readonly Delta[], value: unknown) => {
    const index = deltas.findIndex((delta) => delta.type === "event" && delta.value === value);
    const texts: Record<string, string> = {};
    for (const delta of deltas.slice(0, index)) {
      if (delta.type === "part" && delta.part.type === "text") {
        texts[delta.at] = (texts[delta.at] ?? "") + delta.part.content;
      }
    }
    return texts;
  };
  for (const delta of came) {
    if (delta.type !== "event") continue;
    const out = before(went, delta.value);
    for (const [at, text] of Object.entries(before(came, delta.value))) {
      expect((out[at] ?? "").length).toBeGreaterThanOrEqual(text.length);
    }
  }
}
