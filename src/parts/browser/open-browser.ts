import type { Engine } from '#src/app/engine.ts';
import type { OpenedPart } from '#src/app/parts/service.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { notice } from '#src/core/base/text/condition.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import { parseEndpoint } from '#src/network/egress/endpoint.ts';
import type { RenderReport } from '#src/network/probes/observations.ts';
import type { ProbeSettings } from '#src/network/probes/settings.ts';
import { openBrowserThread } from './browser-thread.ts';
import { IDLE_BROWSER } from './process/keep-browser.ts';
import { createRenderer, type RendererParts } from './render.ts';
import type { BrowserSettings } from './settings.ts';
import { VIEWPORTS } from './visit/visit-page.ts';

/** Parts of a service, or of a command, that the browser needs. */
export interface BrowserHost {
  readonly engine: Pick<Engine, 'useRenderer' | 'denySelf' | 'isPopular'> & {
    scoringContext(): { readonly models: Pick<Models, 'configuredBrands'> };
  };
  readonly running: () => BrowserSettings & Pick<ProbeSettings, 'user_agent'>;
  /** Takes pictures; null to take none. */
  readonly pictures: Pick<PictureStore, 'isOn' | 'hold'> | null;
  /** Window of the visits; that of a desktop by default. */
  readonly window?: keyof typeof VIEWPORTS;
  readonly logger: Logger;
}

const PORT = 80;

/** Lets the checks of an engine visit pages with a browser. */
export function openBrowser({ engine, running, pictures, window = 'desktop', logger }: BrowserHost): OpenedPart {
  const { browser, user_agent: userAgent } = running();
  let logged = IDLE_BROWSER;
  let starts = 0;
  let visited: (report: RenderReport) => void = () => {};
  const thread = openBrowserThread(browser ?? '', (state) => {
    const { product, problem, missingGuards } = state;
    if (product !== null) {
      starts++;
      logger.info('browser.started', { product });
    } else if (problem !== null && problem !== logged.problem) logger.warn('browser.failed', { problem });
    if (missingGuards.length > 0) logger.warn('browser.flags_missing', { flags: missingGuards });
    logged = state;
  });
  const keepPicture: RendererParts['keepPicture'] =
    pictures?.isOn === true ? (visibility, sha256, { bytes }) => pictures.hold(visibility, sha256, bytes) : null;
  const { isPopular } = engine;
  const hasLooks = () => engine.scoringContext().models.configuredBrands.some(({ looks = [] }) => looks.length > 0);
  const viewport = VIEWPORTS[window];
  const rendererOf = createRenderer({
    ...{ thread, settings: running, isPopular, userAgent, viewport, hasLooks, keepPicture },
  });
  engine.useRenderer((check) => {
    const render = rendererOf(check);
    return async (subject) => {
      const rendering = await render(subject);
      visited(rendering.report);
      return rendering;
    };
  });
  // A page must not drive the browser that shows it.
  const endpoint = browser?.startsWith('ws://') === true ? parseEndpoint(new URL(browser).host, PORT) : null;
  const endpoints = endpoint === null || typeof endpoint === 'string' ? [] : [endpoint];
  endpoints.forEach(engine.denySelf);
  return {
    endpoints,
    async measure(registry) {
      const sources = { restarts: () => Math.max(starts - 1, 0), isRunning: () => thread.state.product !== null };
      visited = (await import('./browser-metrics.ts')).browserMetrics(registry, sources);
    },
    notices: () => [
      ...(thread.state.problem === null ? [] : [UNAVAILABLE]),
      ...(thread.state.missingGuards.length === 0 ? [] : [UNGUARDED]),
    ],
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

const UNAVAILABLE = notice(
  'browser_unavailable',
  'The browser does not run: pages are checked without it. browser.failed in the log has the cause.',
);

const UNGUARDED = notice(
  'browser_unguarded',
  'The browser was started without flags that keep its traffic in the egress policy. doctor lists them.',
);
