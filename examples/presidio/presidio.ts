import type { RecognizerFunction } from "@suite/pii";

/** The answer of a Presidio server to `POST /analyze`. */
type Analysis = readonly { readonly start: number; readonly end: number; readonly score: number }[];

/**
 * A recogniser that asks a Presidio server for some of its entities. Nothing but the text goes there: give it a server
 * that may see it.
 */
export function presidio(server: string | URL, entities: readonly string[], language = "en"): RecognizerFunction {
  return async (text, { signal }) => {
    const response = await fetch(new URL("/analyze", server), {
      method: "POST",
      headers: { "content-type": "application/json" },
      // Half a surrogate pair is no UTF-8.
      body: JSON.stringify({ text: text.replaceAll(/\p{Surrogate}/gu, "\ufffd"), language, entities }),
      signal,
    });
    if (!response.ok) throw new Error(`Presidio answered with status ${response.status}.`);
    const units = unitsOf(text);
    const unit = (point: number): number => units[point] ?? Number.NaN;
    const found = (await response.json()) as Analysis;
    return found.map(({ start, end, score }) => ({ start: unit(start), end: unit(end), score }));
  };
}

/** Presidio counts code points. Where each begins, in UTF-16 units, and where the text ends. */
function unitsOf(text: string): readonly number[] {
  const units = [0];
  for (const character of text) units.push((units.at(-1) ?? 0) + character.length);
  return units;
}
