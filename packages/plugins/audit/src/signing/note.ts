import { fromBase64, toBase64, toHex } from "@suite/kit";

/** A C2SP signed note: a string that ends with a newline, and its signatures. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** The key's id: 8 hexadecimal digits. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

const MAX_SIGNATURES = 32;

/** Formats a note: its text, an empty line, and a line for each signature. */
export function formatNote(note: Note): string {
  return `${note.text}\n${note.signatures.map(formatSignature).join("")}`;
}

/** Parses a note. Returns `undefined` if the string is not exactly the output of `formatNote`. Nothing is verified. */
export function parseNote(text: string): Note | undefined {
  const split = text.lastIndexOf("\n\n");
  if (split < 0 || !text.endsWith("\n")) return undefined;
  const lines = text.slice(split + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignature(line);
    if (!signature) return undefined;
    signatures.push(signature);
  }
  return { text: text.slice(0, split + 1), signatures };
}

function formatSignature({ name, keyId, signature }: NoteSignature): string {
  const id = Array.from({ length: 4 }, (_, i) => Number.parseInt(keyId.slice(2 * i, 2 * i + 2), 16));
  return `— ${name} ${toBase64(Uint8Array.of(...id, ...signature))}\n`;
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name, encoded] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name === undefined || bytes === undefined || bytes.length < 5) return undefined;
  return { name, keyId: toHex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}
