import { requestAbout } from './api.ts';

let asked: Promise<number | null> | null = null;

/** Checks per minute that this reader is allowed; null for no limit, or where the service does not say. Asked once. */
export function ownLimit(): Promise<number | null> {
  asked ??= requestAbout().then(
    ({ checks_per_minute: limit }) => limit,
    () => null,
  );
  return asked;
}
