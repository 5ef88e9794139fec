import { existsSync } from 'node:fs';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const FIREFOX = '/usr/bin/firefox-esr';

/** What a script in the page came to, as WebDriver BiDi tells it; of the kinds that the tests ask for. */
interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

/** One page of Firefox. */
export interface FirefoxPage extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Goes back to the page before, which may come from the browser's memory as it was left. */
  back(): Promise<void>;
  /** What an expression comes to, or the promise that it makes: a string, a number, a boolean or null. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression is true, and says which never was. */
  until(expression: string): Promise<void>;
  /** Makes the page as large as a screen, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Presses keys, one after the other, as a person does. */
  type(text: string): Promise<void>;
  /** What the page wrote to the console, and errors of its scripts. */
  readonly troubles: readonly string[];
}

/**
 * Starts Debian's Firefox and speaks WebDriver BiDi with it (https://w3c.github.io/webdriver-bidi/).
 *
 * @throws Error saying what to install where it is missing.
 */
export async function openFirefox(): Promise<FirefoxPage> {
  if (!existsSync(FIREFOX)) throw new Error('no Firefox here: apt-get install firefox-esr');
  await using opening = new AsyncDisposableStack();
  const profile = opening.use(temporaryDirectory());
  const child = Bun.spawn(
    [FIREFOX, '--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile.path],
    {
      env: { HOME: profile.path, PATH: '/usr/bin:/bin', MOZ_CRASHREPORTER_DISABLE: '1' },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    },
  );
  opening.defer(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  const socket = new WebSocket(`${await addressIn(child.stderr)}/session`);
  opening.defer(() => socket.close());
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const troubles: string[] = [];
  const ask = createAsker(socket, troubles);
  await ask('session.new', { capabilities: {} });
  await ask('session.subscribe', { events: ['log.entryAdded'] });
  // In the window that Firefox starts with, the address bar has the focus: keys would press no button of a page.
  const { context } = (await ask('browsingContext.create', { type: 'window' })) as { context: string };
  await ask('browsingContext.activate', { context });

  async function evaluate(expression: string): Promise<unknown> {
    const params = { expression, target: { context }, awaitPromise: true };
    const { type, result, exceptionDetails } = (await ask('script.evaluate', params)) as Evaluated;
    if (type === 'exception') throw new Error(`${expression}: ${exceptionDetails?.text}`);
    return result?.value ?? null;
  }

  const closing = opening.move();
  return {
    troubles,
    evaluate,
    open: async (url) => void (await ask('browsingContext.navigate', { context, url, wait: 'complete' })),
    back: async () => void (await ask('browsingContext.traverseHistory', { context, delta: -1 })),
    resize: async (width, height) =>
      void (await ask('browsingContext.setViewport', { context, viewport: { width, height } })),
    async until(expression) {
      const settled = await evaluate(`new Promise((resolve) => {
        const begun = performance.now();
        const look = () => (${expression}) ? resolve('') : performance.now() - begun > 20000
          ? resolve(document.body.innerText) : setTimeout(look, 20);
        look();
      })`);
      if (settled !== '') throw new Error(`never came true: ${expression}\n${settled}`);
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await ask('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Where it listens, which it says on its standard error. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = output.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
    if (address === undefined) continue;
    void drain(reader);
    return address;
  }
  throw new Error(`Firefox did not start: ${text}`);
}

/** What nobody reads would hold it up in the end. */
async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}

function createAsker(socket: WebSocket, troubles: string[]) {
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.type === 'event') troubles.push(`${message.params.level}: ${message.params.text}`);
    else if (message.type === 'success') asked.get(message.id)?.resolve(message.result);
    else asked.get(message.id)?.reject(new Error(`${message.error}: ${message.message}`));
  };
  return (method: string, params: object): Promise<unknown> => {
    const id = ++last;
    const answer = Promise.withResolvers<unknown>();
    asked.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  };
}
