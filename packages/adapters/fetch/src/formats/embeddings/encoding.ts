/** The embedding as it was asked for: OpenAI's clients ask for base64 (32-bit floats, little-endian) by themselves. */
export function inEncoding(embedding: unknown, encodingFormat: string | undefined): unknown {
  if (encodingFormat === "base64") return isNumbers(embedding) ? toBase64(embedding) : embedding;
  return typeof embedding === "string" ? fromBase64(embedding) : embedding;
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

function toBase64(numbers: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setFloat32(index * 4, number, true);
  let bytes = "";
  for (let at = 0; at < view.byteLength; at++) bytes += String.fromCharCode(view.getUint8(at));
  return btoa(bytes);
}

/** The numbers of a base64 text; a text that is none stays as it is. */
function fromBase64(text: string): readonly number[] | string {
  try {
    const view = new DataView(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
    return Array.from({ length: Math.floor(view.byteLength / 4) }, (_, index) => view.getFloat32(index * 4, true));
  } catch {
    return text;
  }
}
