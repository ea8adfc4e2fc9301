/** Erases plugins' data of a user. */
export { type ForgetUserOptions, type ForgetUserReport, type ForgottenData, forgetUser } from "./engine/forget-user.js";
