import type { Service } from './service.ts';

/** Tells the service to read its settings again, and waits for what it says about that; its line without the time. */
export async function reload(service: Service): Promise<Record<string, unknown>> {
  const said = () => service.output.stderr.split('\n').filter((line) => /"settings\.(?:reread|kept)"/.test(line));
  const before = said().length;
  process.kill(service.pid, 'SIGHUP');
  while (said().length === before) await new Promise(setImmediate);
  const { time: _, ...line } = JSON.parse(said().at(-1) ?? '{}');
  return line;
}
