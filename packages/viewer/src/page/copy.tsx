import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** A button that copies a string and confirms it. */
export function Copy({ text, children }: { readonly text: () => string; readonly children: string }): VNode {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("Copied");
    } catch {
      setSaid("The browser does not allow it");
    }
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? children}</span>
    </button>
  );
}
