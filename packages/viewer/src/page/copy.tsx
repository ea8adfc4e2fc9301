import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** A button that copies a string and confirms it. */
export function Copy({ text, children }: { readonly text: () => string; readonly children: string }): VNode {
  const [status, setStatus] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setStatus("Copied");
    } catch {
      setStatus("The browser does not allow it");
    }
    setTimeout(() => setStatus(undefined), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{status ?? children}</span>
    </button>
  );
}
