/** One row of the doctor's table. */
export interface Finding {
  /** The checked subject: a package, a framework, `collector`, `audit log`, `redactor`. */
  readonly subject: string;
  /** `ok`; `note` for a hint or an unknown state; `wrong` for something that has to change. */
  readonly state: "ok" | "note" | "wrong";
  /** The finding, in one sentence. */
  readonly found: string;
  /** The thing to do, if any. */
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
