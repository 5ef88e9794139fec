import { MILTER_SETTINGS } from '#src/parts/mail/milter/settings.ts';

/** Settings of mail servers. */
export const MAIL_SETTINGS = { tables: { 'Mail servers': MILTER_SETTINGS }, rules: [] };
