import { Type } from '@sinclair/typebox';
import type { AuditEntry } from '#src/admin/audit/read-audit.ts';
import { describeActor } from '#src/core/base/actor.ts';
import { viewRoute } from '#src/service/server/admin/act-route.ts';
import type { SignedInParts } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { limitParameter, numberParameter } from '#src/service/server/http/parameter.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { AuditPageSchema } from './answers/console-answers.ts';

export interface AuditRouteParts extends SignedInParts {
  /** Returns entries with a lower number than `before`, latest first. */
  readonly auditEntries: (limit: number, before?: number) => readonly AuditEntry[];
}

const DEFAULT_LIMIT = 50;

const AuditQuerySchema = Type.Object({
  limit: limitParameter,
  before: numberParameter('Only entries with a lower number', 1, Number.MAX_SAFE_INTEGER, 100),
});

/** `GET /api/admin/audit`: who changed what. */
export const auditRoute = routesWith<AuditRouteParts>().get(
  '/api/admin/audit',
  ({ query: { limit = DEFAULT_LIMIT, before }, service }) => {
    const entries = service.auditEntries(limit, before);
    const items = entries.map(({ seq, at, by, action, subject, detail }) => ({
      sequence: seq,
      time: at,
      by: describeActor(by),
      address: 'address' in by ? (by.address ?? null) : null,
      ...{ action, subject },
      detail: Object.entries(detail).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    }));
    return { items, next_before: entries.length === limit ? (entries.at(-1)?.seq ?? null) : null };
  },
  viewRoute(['admin'], {
    id: 'listAuditEntries',
    summary: 'Read the audit log',
    description: 'Changes of keys, lists, models, packs, brands and logs, latest first. Needs the scope `admin`.',
    query: AuditQuerySchema,
    answers: {
      200: answer(AuditPageSchema, {
        description: 'One page.',
        example: {
          items: [
            {
              sequence: 12,
              time: '2026-01-31T12:00:00.000Z',
              by: 'key desk',
              address: '192.0.2.7',
              action: 'key.create',
              subject: 'mail-gateway',
              detail: [{ name: 'scopes', value: '["check"]' }],
            },
          ],
          next_before: null,
        },
      }),
    },
    refuses: [],
  }),
);
