export { type FileVaultOptions, fileVault } from "./node/file-vault.js";
export { type StoreVaultOptions, storeVault } from "./node/store-vault.js";
