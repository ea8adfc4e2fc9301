/** The digits of a number that may be written in groups. */
export const digitsOf = (value: string): string => value.replaceAll(/\D/g, "");
