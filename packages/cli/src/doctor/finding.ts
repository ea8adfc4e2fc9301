/** One row of the doctor's table. */
export interface Finding {
  /** The thing that was looked at: a package, a framework, `collector`, `audit log`, `redactor`. */
  readonly subject: string;
  /** `ok`; `note` for what is worth knowing, or could not be told; `wrong` for what has to change. */
  readonly state: "ok" | "note" | "wrong";
  /** The state of it, in a sentence. */
  readonly found: string;
  /** The thing to do, where there is one. */
  readonly advice?: string;
}

export const ok = (subject: string, found: string): Finding => ({ subject, state: "ok", found });

export const note = (subject: string, found: string, advice?: string): Finding => ({
  subject,
  state: "note",
  found,
  ...(advice !== undefined && { advice }),
});

export const wrong = (subject: string, found: string, advice: string): Finding => ({
  subject,
  state: "wrong",
  found,
  advice,
});
