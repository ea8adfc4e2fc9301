export { type Pkcs11Signer, type Pkcs11SignerOptions, pkcs11Signer } from "./signers/pkcs11.js";
