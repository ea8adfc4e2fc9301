import type { Transport } from "../protocol.js";

type OnMessage = NonNullable<Transport["onmessage"]>;

/** The original transports of the protocol's sides. */
const originals = new WeakMap<Transport, Transport>();

/** Returns the original transport of a protocol's side, and any other value unchanged. */
export const originalOf = (transport: unknown): unknown => originals.get(transport as Transport) ?? transport;

/** True for a transport that `protocolSide` created: the object that the protocol uses in place of the original one. */
export const isProtocolSide = (transport: Transport): boolean => originals.has(transport);

/** The functions between the two sides of a transport. */
export interface Between {
  readonly send: Transport["send"];
  readonly receive: OnMessage;
  closed(): void;
}

/** The protocol's side of a transport, and the function that passes a message to the protocol. */
export interface ProtocolSide {
  readonly transport: Transport;
  readonly handle: OnMessage;
}

/**
 * Creates the protocol's side of a transport. It has a separate `send`, `onmessage` and `onclose`, in an object to
 * which nothing else writes. All other members are the transport's, with its private fields.
 *
 * Each side can be wrapped after the connection was made, as recorders do. A wrapper only finds the function of its
 * side, so that no call can reach it twice.
 */
export function protocolSide(transport: Transport, { send, receive, closed }: Between): ProtocolSide {
  const overrides: Pick<Transport, "send" | "onmessage" | "onclose"> = Object.assign(Object.create(inherits(send)), {
    onmessage: transport.onmessage,
    onclose: transport.onclose,
  });
  // The wire's side is set once, when the protocol sets its handlers: it may have been wrapped since.
  const wire = new Map<string | symbol, () => void>();
  wire.set("onmessage", () => {
    transport.onmessage = receive;
  });
  wire.set("onclose", () => {
    transport.onclose = () => {
      closed();
      overrides.onclose?.();
    };
  });
  const written = (name: string | symbol, done: boolean): boolean => {
    wire.get(name)?.();
    wire.delete(name);
    return done;
  };
  const holderOf = (name: string | symbol): object => (name in overrides ? overrides : transport);

  const side = new Proxy(transport, {
    get(_, name) {
      if (name in overrides) return Reflect.get(overrides, name);
      const value: unknown = Reflect.get(transport, name);
      return typeof value === "function" && name !== "onerror" && name !== "constructor"
        ? value.bind(transport)
        : value;
    },
    set: (_, name, value) => written(name, Reflect.set(holderOf(name), name, value)),
    defineProperty: (_, name, property) => written(name, Reflect.defineProperty(holderOf(name), name, property)),
    deleteProperty: (_, name) => Reflect.deleteProperty(holderOf(name), name),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(holderOf(name), name),
  });
  originals.set(side, transport);
  return { transport: side, handle: (message, extra) => overrides.onmessage?.(message, extra) };
}

/**
 * Returns a prototype that contains only `send`, so that `send` is back after a deletion and nothing of
 * `Object.prototype` is inherited.
 */
const inherits = (send: Transport["send"]): object => Object.assign(Object.create(null), { send });
