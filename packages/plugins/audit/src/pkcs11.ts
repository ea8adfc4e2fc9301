export { type Pkcs11Signer, type Pkcs11SignerOptions, pkcs11Signer } from "./signing/remote/pkcs11.js";
