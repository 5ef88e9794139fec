import type { LoggedEvent, Service } from './service.ts';

/** Tells the service to read its settings again, and waits for what it says about that; its event without the time. */
export async function reload(service: Service): Promise<Record<string, unknown>> {
  const said = () => service.events().filter(({ event }) => event === 'settings.reread' || event === 'settings.kept');
  const before = said().length;
  process.kill(service.pid, 'SIGHUP');
  let latest: LoggedEvent | undefined;
  for (; latest === undefined; latest = said()[before]) await new Promise(setImmediate);
  const { time: _, ...event } = latest;
  return event;
}
