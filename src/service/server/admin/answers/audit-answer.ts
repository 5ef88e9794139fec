import { type Static, Type } from '@sinclair/typebox';

const AuditDetailSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the value' }),
    value: Type.String({ description: 'The value as JSON' }),
  },
  { $id: 'AuditDetail', description: 'A value of a change' },
);

const AuditItemSchema = Type.Object(
  {
    sequence: Type.Integer({ description: 'Number of the entry, from 1' }),
    time: Type.String({ format: 'date-time', description: 'When the change was made' }),
    by: Type.String({ description: 'Who made it: a user of the host or of the proxy, a key, or the service' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'Address of the client; null for a command' }),
    action: Type.String({ description: 'What was done, such as `key.create`' }),
    subject: Type.Union([Type.String(), Type.Null()], { description: 'What it was done to' }),
    detail: Type.Array(AuditDetailSchema, { description: 'More about the change' }),
  },
  { $id: 'AuditItem', description: 'A change in the audit log' },
);

export const AuditPageSchema = Type.Object(
  {
    items: Type.Array(AuditItemSchema, { description: 'Entries, latest first' }),
    next_before: Type.Union([Type.Integer(), Type.Null()], {
      description: '`before` of the next page; null at the end',
    }),
  },
  { $id: 'AuditPage', description: 'A page of the audit log' },
);

/** A page of the audit log. */
export type AuditPage = Static<typeof AuditPageSchema>;

/** A change in the audit log. */
export type AuditRow = AuditPage['items'][number];
