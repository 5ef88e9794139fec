import { definePart } from '#src/parts/define-part.ts';
import { MAIL_SETTINGS } from './settings.ts';

/** The milter of mail servers. */
export const mailPart = definePart({
  name: 'mail',
  settings: MAIL_SETTINGS,
  conditions: ['milter_unexamined'],
  isOn: ({ milter_listen }) => milter_listen.length > 0,
  open: async (service) => (await import('./open-milter.ts')).openMilter(service),
  examine: { milter: async () => (await import('./examine-milter.ts')).examineMilter },
});
