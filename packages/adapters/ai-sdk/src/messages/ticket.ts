import { isRecord, toHex } from "@suite/kit";
import type { PromptMessage } from "../framework.js";

/** The name of the ticket in the provider metadata of a waiting tool call. */
export const ticketName = "suite";

/** The signed ticket of a waiting tool call. It is stored with the history. */
export interface Ticket {
  readonly run: string;
  /** The time when the call was handed out, in milliseconds since the epoch. */
  readonly at: number;
  /** The run's durable state, as JSON. */
  readonly state: string;
  /** The HMAC-SHA-256 of the fields above and the id and name of the call, in hex. */
  readonly mac: string;
}

/** Returns the ticket in provider options or metadata, if there is one. It is not verified yet. */
export function ticketIn(metadata: unknown): Ticket | undefined {
  const ticket = isRecord(metadata) ? metadata[ticketName] : undefined;
  if (!isRecord(ticket)) return undefined;
  const { run, at, state, mac } = ticket;
  const isTicket =
    typeof run === "string" && typeof at === "number" && typeof state === "string" && typeof mac === "string";
  return isTicket ? { run, at, state, mac } : undefined;
}

/** Returns true if a call in the message has a ticket. */
export const hasTicket = (message: PromptMessage): boolean =>
  message.role === "assistant" && message.content.some((part) => Boolean(part.providerOptions?.[ticketName]));

/** Removes tickets from a message, because models must not get them. Returns the same object if it has none. */
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

/**
 * Returns the key for a secret. Without a secret, the key is random and limited to this process, so other processes
 * reject its tickets.
 */
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
  return { ...ticket, mac: toHex(mac) };
}

/** Returns true if the ticket was signed for this call with this key. */
export function verify(ticket: Ticket, call: CallName, key: CryptoKey): Promise<boolean> {
  const bytes = new Uint8Array((ticket.mac.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16)));
  return subtle.verify("HMAC", key, bytes, signed(ticket, call));
}
