import type { Static, TSchema } from '@sinclair/typebox';
import { type CheckResult, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { type HistoryPage, HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { executable } from './executable.ts';
import { parseAs } from './parse-as.ts';

/** One line of its log. */
export type LoggedEvent = Readonly<Record<string, unknown>> & { readonly level: string; readonly event: string };

/** A running executable. Disposing of it asks it to stop and waits; `kill` gives it no chance. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Everything that it printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** What it told so far, an event a line. */
  events(): LoggedEvent[];
  /** Asks it to stop; the exit code. */
  stop(): Promise<number>;
  kill(): Promise<void>;
  check(url: string, isPrivate?: boolean): Promise<Response>;
  /** A check that must succeed. */
  result(url: string, isPrivate?: boolean): Promise<CheckResult>;
  history(): Promise<HistoryPage>;
}

function isSetIn(toml: string, flag: string): boolean {
  return toml.split('\n').some((line) => line.split('=')[0]?.trim() === flag.replaceAll('-', '_'));
}

/**
 * Starts `lurecheck serve` on a free port without a network and without a limit, and waits until it is ready. What `args`
 * say is taken in their place, by a flag or in the file that a `--config` names.
 */
export async function startService(
  dataDir: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const usual = { listen: '127.0.0.1:0', 'data-dir': dataDir, network: 'none', 'rate-limit': '0' };
  const file = args[args.indexOf('--config') + 1];
  const inFile = args.includes('--config') && file !== undefined ? await Bun.file(file).text() : '';
  const flags = Object.entries(usual).flatMap(([name, value]) =>
    args.includes(`--${name}`) || isSetIn(inFile, name) ? [] : [`--${name}`, value],
  );
  const child = Bun.spawn([await executable(), 'serve', ...flags, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env,
  });
  const output = { stdout: '', stderr: '' };
  const ready = Promise.withResolvers<string>();
  let isReady = false;
  const collected = Promise.all([
    collect(child.stdout, (text) => {
      output.stdout += text;
      // In what a long run prints nobody wants to look each time.
      if (isReady) return;
      const url = /"event":"server.listening","url":"([^"]+)"/.exec(output.stdout)?.[1];
      if (url === undefined) return;
      isReady = true;
      ready.resolve(url);
    }),
    collect(child.stderr, (text) => {
      output.stderr += text;
    }),
  ]);
  void collected.then(() => ready.reject(new Error(`the service did not start: ${output.stderr}`)));
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.all([child.exited, collected]);
    return child.exitCode ?? -1;
  };
  const url = await ready.promise;
  const check = (checked: string, isPrivate = false) =>
    fetch(`${url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: checked, private_mode: isPrivate }),
    });
  return {
    url,
    pid: child.pid,
    output,
    events() {
      const whole = output.stdout.slice(0, output.stdout.lastIndexOf('\n') + 1);
      return whole
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    stop,
    async kill() {
      child.kill('SIGKILL');
      await Promise.all([child.exited, collected]);
    },
    check,
    result: async (checked, isPrivate) => json(await check(checked, isPrivate), CheckResultSchema),
    history: async () => json(await fetch(`${url}/api/history`), HistoryPageSchema),
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
}

/** The body of an answer, held against its schema. */
async function json<T extends TSchema>(response: Response, schema: T): Promise<Static<T>> {
  return parseAs(schema, await response.json());
}
