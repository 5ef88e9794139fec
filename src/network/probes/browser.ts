/**
 * The browser that a visit imitates: Chrome on Windows, whose version is in its `User-Agent` in this reduced form since
 * version 110. The milestone is the stable one of 2026-11-22 (Debian's package chromium, 156.0.8078.79-1); to update
 * it, change number and date.
 */
const CHROME_MILESTONE = 156;

/** Headers that browsers send with a navigation; phishing pages may be served only to requests with them. */
export const NAVIGATION_HEADERS: Readonly<Record<string, string>> = {
  'User-Agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME_MILESTONE}.0.0.0 Safari/537.36`,
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.9',
  'Upgrade-Insecure-Requests': '1',
};
