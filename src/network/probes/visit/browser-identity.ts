import { ACCEPTED_LANGUAGES, CLIENT_HINTS, PHONE_USER_AGENT, USER_AGENT } from './browser.ts';

const WINDOWS = { platform: 'Windows', platformVersion: '15.0.0', architecture: 'x86', bitness: '64', model: '' };
const ANDROID = { platform: 'Android', platformVersion: '14.0.0', architecture: '', bitness: '', model: 'Pixel 8' };

const BRAND = /"([^"]+)";v="(\d+)"/g;

/**
 * Returns what a page learns of the browser: the same as a visit without scripts sends, or Chrome on Android, or the
 * operator's words.
 */
export function identityOf(
  userAgent: string | null,
  isPhone: boolean,
): { userAgent: string } & Record<string, unknown> {
  if (userAgent !== null) return { userAgent };
  const hints = CLIENT_HINTS['sec-ch-ua'] ?? '';
  const brands = [...hints.matchAll(BRAND)].map(([, brand, version]) => ({ brand, version }));
  return {
    userAgent: isPhone ? PHONE_USER_AGENT : USER_AGENT,
    acceptLanguage: ACCEPTED_LANGUAGES.split(';', 1)[0] ?? '',
    platform: isPhone ? 'Linux armv81' : 'Win32',
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
      ...(isPhone ? ANDROID : WINDOWS),
      mobile: isPhone,
    },
  };
}
