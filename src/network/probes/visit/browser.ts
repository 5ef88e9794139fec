/**
 * The browser that a visit imitates: the headers of Chrome on Windows, in order and letter case. Recorded on 2026-11-27
 * from the requests of Debian's Chromium 156.0.8078.108, whose brand and platform are replaced;
 * `test/system/request-heads.test.ts` compares them with the installed Chromium. To update: change milestone and values.
 */
const MILESTONE = 156;

/**
 * The brands in the order and with the invented brand of this milestone, which are calculated from its number
 * (`components/embedder_support/user_agent_utils.cc`).
 */
const BRANDS = `"Not:A-Brand";v="8", "Chromium";v="${MILESTONE}", "Google Chrome";v="${MILESTONE}"`;

/** Client hints in the order of a navigation. Sent over https only. */
export const CLIENT_HINTS: Readonly<Record<string, string>> = {
  'sec-ch-ua': BRANDS,
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};

/** The version has this reduced form since Chrome 110. */
export const USER_AGENT = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${MILESTONE}.0.0.0 Safari/537.36`;

/** The same on Android, where device and version have one reduced form. */
export const PHONE_USER_AGENT = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${MILESTONE}.0.0.0 Mobile Safari/537.36`;

/** Media types of a navigation; phishing kits test for those of images. */
export const ACCEPT_DOCUMENT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

/** Content codings by scheme. Both are decoded whatever was offered. */
export const ACCEPTED_CODINGS = { http: 'gzip, deflate', https: 'gzip, deflate, br, zstd' } as const;

export const ACCEPTED_LANGUAGES = 'en-US,en;q=0.9';

/** Maximum length of a `Referer` with a path, in characters; a longer one is sent as an origin (Referrer Policy §8.3). */
export const MAX_REFERER_LENGTH = 4096;
