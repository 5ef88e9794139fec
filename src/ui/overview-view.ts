import { html } from './dom.ts';
import type { Locale } from './locale.ts';
import type { PageSettings } from './page-settings.ts';
export function overviewView({ say }: Locale, _settings: PageSettings, _leaving: AbortSignal): HTMLElement {
  return html('div', {}, html('h1', { tabindex: -1 }, say('overview.title')));
}
