import { both, describeAsked, ofSeven } from "../asked-of-ai-sdk.js";

describeAsked("the AI SDK 7", { ...both, ...ofSeven });
