export { fileResumeStore } from "./node/file-store.js";
