/** The types of this package that are used, so that a checkout builds before it is installed. */
declare module "@openredaction/core" {
  export class OpenRedaction {
    constructor(options: { readonly patterns: readonly string[]; readonly enableCache: boolean });
    detect(text: string): Promise<{ readonly redacted: string }>;
  }
}
