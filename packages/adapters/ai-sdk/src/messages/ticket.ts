import { isRecord, type PromptMessage } from "../framework.js";

/** The ticket's name among the provider metadata of a tool call that waits. */
export const ticketName = "suite";

/** The signed ticket that a waiting tool call takes along, through whatever the history is kept in. */
export interface Ticket {
  readonly run: string;
  /** The time when the call was handed out, in milliseconds since the epoch. */
  readonly at: number;
  /** The run's durable state, as JSON. */
  readonly state: string;
  /** The HMAC-SHA-256, in hex, over the above, the id and the name of the call. */
  readonly mac: string;
}

/** The ticket among provider options or metadata, if there is one; nothing in it is relied on yet. */
export function ticketIn(metadata: unknown): Ticket | undefined {
  const ticket = isRecord(metadata) ? metadata[ticketName] : undefined;
  if (!isRecord(ticket)) return undefined;
  const { run, at, state, mac } = ticket;
  const isTicket =
    typeof run === "string" && typeof at === "number" && typeof state === "string" && typeof mac === "string";
  return isTicket ? { run, at, state, mac } : undefined;
}

/** Whether a call in the message has a ticket. */
export const hasTicket = (message: PromptMessage): boolean =>
  message.role === "assistant" && message.content.some((part) => Boolean(part.providerOptions?.[ticketName]));

/** The message without tickets, which are not for models; the same object where there is none. */
export function withoutTicket(message: PromptMessage): PromptMessage {
  if (message.role !== "assistant" || !hasTicket(message)) return message;
  const content = message.content.map((part) => {
    if (part.providerOptions?.[ticketName] === undefined) return part;
    const { providerOptions, ...rest } = part;
    const { [ticketName]: _, ...others } = providerOptions;
    return (Object.keys(others).length === 0 ? rest : { ...rest, providerOptions: others }) as typeof part;
  });
  return { ...message, content };
}

const subtle = globalThis.crypto.subtle;
const utf8 = new TextEncoder();
const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
let ofProcess: Promise<CryptoKey> | undefined;

/** The key of a secret; without one, a key of this process, so that another process takes none of its tickets. */
export function keyOf(secret: string | Uint8Array | undefined): Promise<CryptoKey> {
  if (secret === undefined) {
    ofProcess ??= subtle.generateKey(algorithm, false, ["sign", "verify"]) as Promise<CryptoKey>;
    return ofProcess;
  }
  const bytes = typeof secret === "string" ? utf8.encode(secret) : new Uint8Array(secret);
  return subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** The id and name of a call. */
interface CallName {
  readonly id: string;
  readonly name: string;
}

const signed = ({ run, at, state }: Omit<Ticket, "mac">, { id, name }: CallName): Uint8Array<ArrayBuffer> =>
  utf8.encode(JSON.stringify([run, at, state, id, name]));

export async function sign(ticket: Omit<Ticket, "mac">, call: CallName, key: CryptoKey): Promise<Ticket> {
  const mac = new Uint8Array(await subtle.sign("HMAC", key, signed(ticket, call)));
  return { ...ticket, mac: Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

/** Whether the ticket was given out for this call, by whoever has the key. */
export function verify(ticket: Ticket, call: CallName, key: CryptoKey): Promise<boolean> {
  const bytes = new Uint8Array((ticket.mac.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16)));
  return subtle.verify("HMAC", key, bytes, signed(ticket, call));
}
