import type { Stats } from '#src/record/stats.ts';
import type { Operation } from './exchange.ts';
import { replyJson } from './reply.ts';

/** `GET /api/stats` */
export function stats(read: () => Stats): Operation {
  return ({ requestId }) => replyJson(requestId, 200, read());
}
