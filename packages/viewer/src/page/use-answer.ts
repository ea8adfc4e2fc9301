import { useEffect, useState } from "preact/hooks";

/** The answer to a question of the page, or why there is none; neither until one has come. */
export interface Answer<T> {
  readonly answer?: T;
  readonly problem?: string;
}

/**
 * The answer to a question, asked again when it is another, or something changed: until then what was known of the same
 * question stays.
 *
 * @param question what is asked for, an id say; undefined asks nothing.
 * @param changed a value that changes when there may be more.
 */
export function useAnswer<T>(
  question: string | undefined,
  changed: unknown,
  ask: (question: string, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [known, setKnown] = useState<Answer<T> & { readonly question: string }>();
  useEffect(() => {
    if (question === undefined) return;
    const leaving = new AbortController();
    ask(question, leaving.signal).then(
      (answer) => setKnown({ question, answer }),
      (error: Error) => {
        if (!leaving.signal.aborted) setKnown({ question, problem: error.message });
      },
    );
    return () => leaving.abort();
  }, [question, changed]);
  return known?.question === question && known !== undefined ? known : {};
}
