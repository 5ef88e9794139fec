import { afterAll } from 'bun:test';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openBrowser, type TestBrowser } from './ui-browser.ts';

interface Stage {
  readonly service: Service;
  readonly browser: TestBrowser;
  /** The data directory of the service. */
  readonly dataDir: string;
}

/** A service with an empty log, and a browser to look at it; both end with the tests of the file that asks for them. */
export async function openStage(): Promise<Stage> {
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  const directory = opened.use(temporaryDirectory());
  return {
    service: opened.use(await startService(directory.path)),
    browser: opened.use(await openBrowser()),
    dataDir: directory.path,
  };
}
