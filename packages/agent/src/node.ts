export { fileResumeStore } from "./pending/file-store.js";
