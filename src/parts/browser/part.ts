import { definePart } from '#src/parts/define-part.ts';
import { BROWSER_SETTINGS } from './settings.ts';

/** The browser that visits pages which cannot be read without scripts. */
export const browserPart = definePart({
  name: 'browser',
  settings: BROWSER_SETTINGS,
  conditions: ['browser_unavailable', 'browser_unguarded'],
  isOn: ({ browser }) => browser !== null,
  open: async (service) => (await import('./open-browser.ts')).openBrowser(service),
  async extend(engine, config, logger, pictures) {
    if (config.browser === null) return null;
    const running = () => (pictures === null ? config : { ...config, browser_when: 'always' as const });
    return (await import('./open-browser.ts')).openBrowser({
      engine,
      running,
      pictures,
      logger,
      ...(pictures && { window: pictures.window }),
    });
  },
  examine: { browser: async () => (await import('./examine-browser.ts')).examineBrowser },
});
