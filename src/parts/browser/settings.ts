import { CHECKING, reloadable, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { booleanValue, oneOf, orNone, plainText, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

const browser = plainText('a program or a ws:// address', (text) =>
  /^\/[^\0\n]+$/.test(text) || (/^ws:\/\//.test(text) && URL.canParse(text)) ? text : null,
);

const BROWSER_TABLE = {
  browser: setting(
    [...CHECKING, 'doctor'],
    orNone(browser),
    null,
    'Browser for pages that scripts draw: a program to start, or the address of a running one.',
  ),
  browser_when: tuning(
    reloadable(
      setting(
        CHECKING,
        oneOf(['unseen', 'always', 'never']),
        'unseen',
        'Pages that it visits: those not seen in full or asking for secrets, all, or none.',
      ),
    ),
  ),
  browser_private: tuning(
    reloadable(
      setting(CHECKING, booleanValue, false, 'Use it for private checks too. Pages then load files of third parties.'),
    ),
  ),
  browser_pages: tuning(
    setting(CHECKING, wholeNumber(1, 16), 2, 'Maximum number of pages that the browser visits at a time.'),
  ),
};

/** Settings of the browser, among those of pages. */
export const BROWSER_SETTINGS = { tables: { Pages: BROWSER_TABLE }, rules: [] };

/** Values of {@link BROWSER_TABLE}. */
export type BrowserSettings = SettingValues<typeof BROWSER_TABLE>;
