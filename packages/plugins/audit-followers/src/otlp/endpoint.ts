import { AuditFollowersError } from "../errors.js";

/** The endpoint that receives the logs. */
export interface Endpoint {
  /** The address without credentials. */
  readonly url: string;
  /** The printable part: path and query may contain a token. */
  readonly shown: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True for plain HTTP to another machine. */
  readonly isOpen: boolean;
}

const PATH = "/v1/logs";
const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the address of a collector: its base, or the whole path for logs. Moves a user name and password into a
 * header.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 */
export function endpointOf(address: string, headers: Readonly<Record<string, string>>): Endpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid("url", "an address with http: or https:, such as http://localhost:4318");
  const credentials = credentialsOf(url);
  url.username = "";
  url.password = "";
  if (!url.pathname.endsWith(PATH)) url.pathname = `${url.pathname.replace(/\/+$/, "")}${PATH}`;
  return {
    url: url.href,
    shown: url.origin,
    headers: { ...credentials, ...checked(headers) },
    isOpen: url.protocol === "http:" && !loopback.test(url.hostname),
  };
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  try {
    const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { authorization: `Basic ${Buffer.from(both).toString("base64")}` };
  } catch {
    throw invalid("url", "an address whose user name and password are percent-encoded");
  }
}

/** Validates headers now, since an error of `fetch` would quote the value. */
function checked(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw invalid("headers", "names and values that HTTP allows");
  }
}

const invalid = (option: string, what: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", `otlpLogs({ ${option} }) must be ${what}.`);
