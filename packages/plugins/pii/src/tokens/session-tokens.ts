import { formatToken, labelOf, lookAlikeLabel, type TokenForm } from "./form.js";
import type { Tokens } from "./tokens.js";
import type { TokenId } from "./vault.js";

/** Replaces values, and strings that look like tokens, by tokens. */
export interface TokenView {
  token(type: string, value: string): string;
  lookAlike(text: string): string;
}

/** The tokens of one session, as rules make them. */
export class SessionTokens {
  /** The tokens for external content. A look-alike there was not created by this plugin, and gets a token itself. */
  readonly outside: TokenView;
  /** The tokens for content that has passed this plugin: tokens of this session stay unchanged. */
  readonly inside: TokenView;
  readonly tokens: Tokens;
  /** The last token created or found. While it has a value, all tokens of the session do. */
  last: TokenId | undefined;

  /** @param strange called for a token without a value in this session */
  constructor(tokens: Tokens, form: TokenForm, onUnknown: () => void = () => {}) {
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
        if (!tokens.collects) onUnknown();
        return make(lookAlikeLabel, text);
      },
    };
  }
}
