/**
 * The members of `pkcs11js` that the signer and its tests use. They are declared here because the package is missing on
 * machines that cannot compile it, and this package must build there too.
 */
declare module "pkcs11js" {
  interface Attribute {
    readonly type: number;
    readonly value?: number | boolean | string | Buffer;
  }

  interface Mechanism {
    readonly mechanism: number;
  }

  /** A token's library, with the names of PKCS #11. Sessions, slots and objects are handles. */
  export class PKCS11 {
    load(path: string): void;
    C_Initialize(options: { readonly flags: number }): void;
    C_GetSlotList(tokenPresent: boolean): Buffer[];
    C_GetTokenInfo(slot: Buffer): { readonly label: string };
    C_OpenSession(slot: Buffer, flags: number): Buffer;
    C_CloseSession(session: Buffer): void;
    C_Login(session: Buffer, userType: number, pin: string): void;
    C_FindObjectsInit(session: Buffer, template: readonly Attribute[]): void;
    C_FindObjects(session: Buffer, most: number): Buffer[];
    C_FindObjectsFinal(session: Buffer): void;
    C_GetAttributeValue(session: Buffer, object: Buffer, template: readonly Attribute[]): Attribute[];
    C_GenerateKeyPair(
      session: Buffer,
      mechanism: Mechanism,
      publicKey: readonly Attribute[],
      privateKey: readonly Attribute[],
    ): object;
    C_SignInit(session: Buffer, mechanism: Mechanism, key: Buffer): void;
    C_SignAsync(session: Buffer, data: Buffer, signature: Buffer): Promise<Buffer>;
  }

  export const CKA_CLASS: number;
  export const CKA_EC_PARAMS: number;
  export const CKA_EC_POINT: number;
  export const CKA_ID: number;
  export const CKA_KEY_TYPE: number;
  export const CKA_LABEL: number;
  export const CKA_PRIVATE: number;
  export const CKA_SIGN: number;
  export const CKA_TOKEN: number;
  export const CKA_VERIFY: number;
  export const CKF_OS_LOCKING_OK: number;
  export const CKF_RW_SESSION: number;
  export const CKF_SERIAL_SESSION: number;
  export const CKK_EC: number;
  export const CKM_ECDSA: number;
  export const CKM_EC_KEY_PAIR_GEN: number;
  export const CKO_PRIVATE_KEY: number;
  export const CKO_PUBLIC_KEY: number;
  export const CKR_CRYPTOKI_ALREADY_INITIALIZED: number;
  export const CKR_USER_ALREADY_LOGGED_IN: number;
  export const CKU_USER: number;

  const all: object;
  export default all;
}
