import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { refuse } from '../http/problem.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { textAnswer } from './text-answer.ts';

/** Days for which the file says that it is valid; RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 90;

export interface SecurityTxtRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  /** Returns the operator's current contact; null if none is configured. */
  readonly contact: () => string | null;
  readonly now: Clock['now'];
}

/** `GET /.well-known/security.txt` (RFC 9116); 404 where `contact` is not set, or names nothing that is a URI. */
export const securityTxtRoute = routesWith<SecurityTxtRouteParts>()
  .onTransform(ownHost)
  .get(
    '/.well-known/security.txt',
    ({ service: { contact, now } }) => {
      const uri = contactUri(contact() ?? '');
      if (uri === null) return refuse(NOT_FOUND);
      const expires = new Date(Math.floor(now() / DAY_MS + VALID_DAYS) * DAY_MS).toISOString().replace('.000', '');
      return textAnswer('text/plain; charset=utf-8', `Contact: ${uri}\nExpires: ${expires}\n`);
    },
    { detail: { hide: true } },
  );

/** Returns the first address in a contact as a URI (RFC 9116 §2.5.3); null if there is none. */
export function contactUri(contact: string): string | null {
  const uri = /(?:https:\/\/|mailto:|tel:)[^\s<>"]*[^\s<>"),.;]/i.exec(contact)?.[0];
  if (uri !== undefined) return URL.parse(uri)?.href ?? null;
  const address = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(contact)?.[0];
  if (address !== undefined) return `mailto:${address}`;
  const digits = /^\+[\d\s()/.-]{6,}$/.test(contact.trim()) ? contact.replace(/[^\d+]/g, '') : null;
  return digits === null ? null : `tel:${digits}`;
}
