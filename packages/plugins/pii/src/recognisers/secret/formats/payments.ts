import { jumbled, mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Payments, banks, shops, wallets. Publishable keys (`pk_live_`, `rzp` ids aside) are not secrets. */
export const payments: Formats = {
  Stripe: [
    ["sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", /[\dA-Za-z]{10,250}/],
    ["whsec_", /[\dA-Za-z+/]{32,64}={0,2}/],
    ["pi_ seti_", /[\dA-Za-z]{24}_secret_[\dA-Za-z]{25}/],
  ],
  /** Secret keys that follow Stripe's: Clerk, WorkOS, Paystack, Apideck, Liveblocks, Recharge, Checkout.com. */
  "sk_ keys": [
    ["sk_live_", /[\dA-Za-z-]{93}/],
    ["sk_", /(?:test_)?\d{1,2}x\d_[\da-fA-F]{64}/],
    ["sk_", /\d{4}_\d{6}_[\da-f]{32}|[\da-f]{32}/],
    ["sk_sbox_", /[a-z2-7]{26}[a-z2-7*#$=]/],
    ["sk_", /(?:[a-z]{2,10}_){0,2}[\dA-Za-z]{24,100}/, mixed],
  ],
  Square: [
    ["sq0atp-", /[\w-]{22}/],
    ["sq0csp- sq0csb-", /[\w-]{40,50}/],
    ["EAAA", /[\w-]{60}/],
  ],
  Shopify: [["shpat_ shpca_ shppa_ shpss_ shpua_ shptka_", /[\da-fA-F]{32}/]],
  Braintree: [["access_token$production$ access_token$sandbox$", /[\da-z]{16}\$[\da-f]{32}/]],
  Flutterwave: [["FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", /[\da-zA-Z]{32}-X|[\da-zA-Z]{12}/]],
  Razorpay: [["rzp_live_ rzp_test_", /[\dA-Za-z]{14}/]],
  Paddle: [["pdl_live_apikey_ pdl_sdbx_apikey_", /[\da-z]{26}_[\dA-Za-z]{22}_[\dA-Za-z]{3}/]],
  Plaid: [["access-sandbox- access-development- access-production-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  EasyPost: [["EZAK EZTK", /[\dA-Za-z]{54}/]],
  Shippo: [["shippo_live_ shippo_test_", /[\da-fA-F]{40}/]],
  Duffel: [["duffel_live_ duffel_test_", /[\w=-]{43}/]],
  Lob: [["live_ test_", /[\da-f]{35}/]],
  GoCardless: [["live_ sandbox_", /[\w=-]{40,42}/, mixed]],
  Mollie: [["live_ test_", /[\dA-Za-z]{30}/, mixed]],
  "Pagar.me": [["ak_live_ ak_test_", /[\dA-Za-z]{30}/]],
  Ramp: [["ramp_sec_", /[\dA-Za-z]{48}/]],
  Polar: [["polar_oat_ polar_pat_", /[\dA-Za-z]{40,64}/]],
  Robinhood: [["rh-api-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  Cashfree: [["cfsk_ma_prod_ cfsk_ma_test_", /[\da-f]{32}_[\da-f]{8}/]],
  Fleetbase: [["flb_live_", /[\dA-Za-z]{20}/]],
  Flexport: [["shltm_", /[\w-]{40}/]],
  WooCommerce: [["ck_ cs_", /[\da-f]{40}/]],
  Klaviyo: [["pk_", /[\da-f]{34}|[\dA-Za-z]{6}_[\da-f]{34}/]],
  /** Extended private keys of wallets (BIP 32) and of Nostr (NIP-19). */
  wallets: [
    ["xprv yprv zprv tprv", /[\dA-HJ-NP-Za-km-z]{107}/],
    ["nsec1", /[\da-z]{58}/],
  ],
  Gemini: [["master- account-", /[\dA-Za-z]{20}/, jumbled]],
};
