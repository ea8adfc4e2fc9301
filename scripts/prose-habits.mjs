/**
 * Words and phrases that readers of this project's comments stumbled over. `limit`: the maximum number of hits per 1,000 words.
 * `instead`: the plain form. `prose.mjs` counts them.
 *
 * @type {readonly { name: string, expression: RegExp, limit: number, instead: string }[]}
 */
export const habits = [
  {
    name: "where (for if, when)",
    expression: /\bwhere (?:there|it|a|an|no|none|nobody|that|this|the|they|one|only|some|any)\b|[;,] where\b/gi,
    limit: 1,
    instead: "if, when",
  },
  {
    name: "what (for a noun)",
    expression:
      /\bwhat (?:is|was|are|were|it|they|a|an|the|comes|came|stands|plugins|layers|users|others|somebody|nobody|becomes|goes|went|has|have|had|one|belongs|follows)\b/gi,
    limit: 1,
    instead: "the noun: the text, the result, the error, the fields",
  },
  {
    name: "is no, are none",
    expression: /\b(?:is|are|was|were) (?:no|none)\b/gi,
    limit: 0.8,
    instead: "is not a ..., does not match",
  },
  {
    name: "tells, told, says, said (of programs)",
    expression: /\b(?:tells?|told|says?|said)\b/gi,
    limit: 1,
    instead: "reports, returns, contains, sets, states",
  },
  {
    name: "of which, by which, in which",
    expression: /\b(?:of|by|in|with|from|for|to) which\b/gi,
    limit: 1,
    instead: "a second sentence, or that, whose",
  },
  {
    name: "whoever, somebody, nobody",
    expression: /\b(?:whoever|somebody|nobody|anybody)\b|\bwho (?:reads|asks|waits|calls|looks)\b/gi,
    limit: 0.8,
    instead: "the caller, the consumer, the user; no one",
  },
  {
    name: "behind, beside, round (for after, next to, around)",
    expression: /\b(?:behind|beside|round)\b/gi,
    limit: 1,
    instead: "after, next to, besides, around",
  },
  {
    name: "gives, given (for returns, passed)",
    expression: /\b(?:gives?|gave|is given|are given|was given)\b/gi,
    limit: 1,
    instead: "returns, passes, accepts, receives",
  },
  {
    name: "goes on, let go, at work, under way",
    expression: /\b(?:goes? on|went on|lets? go|at work|under way|comes? back|came back|stands? in|stands? for)\b/gi,
    limit: 0.8,
    instead: "continues, released, running, resumes, represents",
  },
  {
    name: "as it is, as it came",
    expression: /\bas (?:it|they) (?:is|are|was|were|came|come|stands)\b/gi,
    limit: 0.5,
    instead: "unchanged",
  },
  {
    name: "a text, texts (for string)",
    expression: /\b(?:a text|texts)\b/gi,
    limit: 0.8,
    instead: "string, strings (keep text for what a person reads)",
  },
  {
    name: "own (for custom, native, local)",
    expression: /\bown\b/gi,
    limit: 1.5,
    instead: "custom, native, local, or leave it out",
  },
  {
    name: "Of ... (fronted)",
    expression: /(?:^|[.:;] )Of (?:a|an|the|one|what|those|these|all|each|it)\b/gm,
    limit: 0.3,
    instead: "the subject first",
  },
  {
    name: "undefined where, none where",
    expression: /\b(?:undefined|none|nothing|null) where\b/gi,
    limit: 0.3,
    instead: "Returns `undefined` if ...",
  },
  {
    name: "for ever, likewise, all the same, say,",
    expression: /\bfor ever\b|\blikewise\b|\ball the same\b|, say[,.]/gi,
    limit: 0.5,
    instead: "indefinitely, also, anyway, for example",
  },
];
