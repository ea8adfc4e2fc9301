import { formatToken, labelOf, lookAlikeLabel, type TokenForm } from "./form.js";
import type { Tokens } from "./tokens.js";
import type { TokenId } from "./vault.js";

/** The tokens that rules put in the place of values, and of texts that look like tokens. */
export interface TokenView {
  token(type: string, value: string): string;
  lookAlike(text: string): string;
}

/** The tokens of one session, as rules make them. */
export class SessionTokens {
  /**
   * The tokens for what comes from outside: what looks like a token there was not made by us, and is given one of its
   * own.
   */
  readonly outside: TokenView;
  /** The tokens for what has seen tokens: those of this session are left alone. */
  readonly inside: TokenView;
  readonly tokens: Tokens;
  /** The last token made or met. As long as it stands for something, so do all others of the session. */
  last: TokenId | undefined;

  /** @param strange is called where a token turns up that stands for nothing here. */
  constructor(tokens: Tokens, form: TokenForm, strange: () => void = () => {}) {
    const make = (label: string, value: string): string => {
      this.last = tokens.id({ label, value });
      return formatToken(this.last);
    };
    const token = (type: string, value: string): string => make(labelOf(type), value);
    this.tokens = tokens;
    this.outside = { token, lookAlike: (text) => make(lookAlikeLabel, text) };
    this.inside = {
      token,
      lookAlike: (text) => {
        const id = form.parse(text);
        if (id !== undefined && tokens.value(id, { label: lookAlikeLabel, value: text }) !== undefined) {
          this.last = id;
          return text;
        }
        if (!tokens.trial) strange();
        return make(lookAlikeLabel, text);
      },
    };
  }
}
