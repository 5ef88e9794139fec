import { BROWSER_SETTINGS } from '#src/parts/browser/settings.ts';
import { FEEDS_SETTINGS } from '#src/parts/feeds/settings.ts';
import { MAIL_SETTINGS } from '#src/parts/mail/settings.ts';
import { MONITORING_SETTINGS } from '#src/parts/monitoring/settings.ts';
import { PROXY_SETTINGS } from '#src/parts/proxy/settings.ts';

/** Settings of all parts: a part is loaded after they are read, and the types of each refer to those of all. */
export const PART_SETTINGS = [MONITORING_SETTINGS, PROXY_SETTINGS, MAIL_SETTINGS, FEEDS_SETTINGS, BROWSER_SETTINGS];
