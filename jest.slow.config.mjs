import { alone } from "./jest.config.mjs";

export default alone("**/test/{slow,stores}/**/*.test.ts");
