/**
 * Type declaration for the compiler only: the types of a result refer to server code that imports `node:url`. The page
 * imports none of it.
 */
declare module 'node:url' {
  export function domainToUnicode(domain: string): string;
}
