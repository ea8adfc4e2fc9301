export { countUsage, sumUsage as sum, tellUsage } from "@suite/core/framework";
