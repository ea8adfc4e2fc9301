export { type FileVaultOptions, fileVault } from "./node/file-vault.js";
