import { jumbled, mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Keepers of secrets, networks, identity. */
export const vaults: Formats = {
  HashiCorp: [
    ["hvs. hvr.", /[\w-]{24,130}/],
    ["hvb.", /[\w-]{24,500}/],
    // Before version 1.10.
    ["s.", /[\dA-Za-z]{24}/, jumbled],
  ],
  Doppler: [
    ["dp.pt. dp.ct. dp.st. dp.sa. dp.scim. dp.audit.", /[\dA-Za-z]{40,44}/],
    ["dp.st.", /[\da-z_-]{2,35}\.[\dA-Za-z]{40,44}/],
  ],
  Infisical: [["st.", /[\da-f]{24}\.[\da-f]{32}\.[\da-f]{32}/]],
  "1Password": [
    ["ops_eyJ", /[\dA-Za-z+/]{250,2000}={0,3}/],
    ["A3-", /[\dA-Z]{6}-(?:[\dA-Z]{11}|[\dA-Z]{6}-[\dA-Z]{5})-[\dA-Z]{5}-[\dA-Z]{5}-[\dA-Z]{5}/],
  ],
  age: [["AGE-SECRET-KEY-1", /[\dA-Z]{58}/]],
  Tailscale: [["tskey-", /[a-z]{2,20}-[\dA-Za-z]{8,40}(?:-[\dA-Za-z]{16,60})?/]],
  "Defined Networking": [["dnkey-", /[\w=-]{26}-[\w=-]{52}/]],
  Ory: [["ory_at_ ory_rt_ ory_pat_ ory_st_", /[\w.-]{32,120}/]],
  Stytch: [["secret-live- secret-test-", /[\w=-]{36}/]],
  Persona: [["persona_production_ persona_sandbox_", /[\w-]{20,64}/, mixed]],
  Onfido: [["api_live. api_live_us. api_live_ca. api_sandbox. api_sandbox_us.", /[\w-]{11}\.[\w-]{32}/]],
  /** RFC 8959. */
  "secret-token URIs": [["secret-token:", /[\w.~%+-]{16,400}/]],
  TruffleHog: [["thog-secret-", /[\da-f]{32}/]],
  Authress: [["sc_ ext_ scauth_ authress_", /[\da-z]{5,30}\.[\da-z]{4,6}\.acc[_-][\da-z-]{10,32}\.[\w+/=-]{30,120}/]],
  Okta: [["00", /[\w-]{40}/, jumbled]],
  "Entra ID refresh tokens": [["0.A 1.A", /[\w-]{50,1000}(?:\.\d)?\.Ag[\w-]{250,2000}/]],
  Unkey: [["unkey_", /[\dA-Za-z]{20,28}/, mixed]],
  Flagsmith: [["ser.", /[\dA-Za-z]{20,24}/, jumbled]],
  "GC Notify": [
    ["gcntfy-", /[\w-]{1,40}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/],
  ],
};
