import { useEffect, useState } from "preact/hooks";

/** The answer to a request of the page, or the reason of its failure. Both are absent until one has arrived. */
export interface Answer<T> {
  readonly answer?: T;
  readonly problem?: string;
}

/**
 * Fetches an answer, and fetches it again if the question or `changed` changes. Until then the last answer to the same
 * question stays.
 *
 * @param question the argument of the request, such as an id. If undefined, nothing is fetched.
 * @param changed a value that changes when there may be more.
 */
export function useAnswer<T>(
  question: string | undefined,
  changed: unknown,
  fetchAnswer: (question: string, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [known, setKnown] = useState<Answer<T> & { readonly question: string }>();
  useEffect(() => {
    if (question === undefined) return;
    const leaving = new AbortController();
    fetchAnswer(question, leaving.signal).then(
      (answer) => setKnown({ question, answer }),
      (error: Error) => {
        if (!leaving.signal.aborted) setKnown({ question, problem: error.message });
      },
    );
    return () => leaving.abort();
  }, [question, changed]);
  return known?.question === question && known !== undefined ? known : {};
}
