/**
 * The page of a log. A check in which everything was looked at takes 1.5 KB, of which two leave a quarter of a page of 4 KiB
 * empty: 2.1 KB a check, and 1.7 KB here. To write costs no more processor time, and 16 KiB spare nothing
 * (`test/bench/log-bytes.ts`).
 */
export const PAGE_BYTES = 8192;

/** How many pages of a log have so many bytes. */
export function pagesIn(bytes: number): number {
  return bytes / PAGE_BYTES;
}
