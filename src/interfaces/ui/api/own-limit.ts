import { requestAbout } from './api.ts';

let asked: Promise<number | null> | null = null;

/**
 * Returns the reader's limit in checks per minute; null if there is none or it is unknown. The service is asked once.
 */
export function ownLimit(): Promise<number | null> {
  asked ??= requestAbout().then(
    ({ checks_per_minute: limit }) => limit,
    () => null,
  );
  return asked;
}
