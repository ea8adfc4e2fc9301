import type { VNode } from "preact";

/** Marks that replace personal data: `[REDACTED_EMAIL]`, `<ip_hash:4cc0…>`, `****-1111`, `[BLOCKED]`. */
const marks = /(\[[A-Z][A-Z0-9_]{2,60}\]|<[a-z][a-z0-9_]{0,40}(?:_hash)?:[\w-]{1,80}>|(?:\*{2,}[- ]?){1,8}\w{0,8})/g;

/** A string with its redaction marks highlighted by type. It is always rendered as text, never as markup. */
export function Marked({ text }: { readonly text: string }): VNode {
  const pieces = text.split(marks);
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? (
          <mark key={index} title="redacted">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </>
  );
}
