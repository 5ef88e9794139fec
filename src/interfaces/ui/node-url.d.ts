/**
 * For the checker alone: the page takes the types of a result, behind which stands code that runs in the server and reads
 * names by the runtime. Nothing of the page imports this.
 */
declare module 'node:url' {
  export function domainToUnicode(domain: string): string;
}
