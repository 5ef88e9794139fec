import { ACCEPTED_LANGUAGES, CLIENT_HINTS, USER_AGENT } from './browser.ts';

const BRAND = /"([^"]+)";v="(\d+)"/g;

/** Returns what a page learns of the browser: the same as a visit without scripts sends, or the operator's words. */
export function identityOf(userAgent: string | null): { userAgent: string } & Record<string, unknown> {
  if (userAgent !== null) return { userAgent };
  const hints = CLIENT_HINTS['sec-ch-ua'] ?? '';
  const brands = [...hints.matchAll(BRAND)].map(([, brand, version]) => ({ brand, version }));
  return {
    userAgent: USER_AGENT,
    acceptLanguage: ACCEPTED_LANGUAGES.split(';', 1)[0] ?? '',
    platform: 'Win32',
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
      platform: 'Windows',
      platformVersion: '15.0.0',
      architecture: 'x86',
      bitness: '64',
      model: '',
      mobile: false,
    },
  };
}
