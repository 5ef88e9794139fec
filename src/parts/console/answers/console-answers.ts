import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { MessageItemSchema } from '#src/checks/record/message-record.ts';
import { nullable } from '#src/core/base/text/json-shape.ts';

export const SessionSchema = Type.Object(
  {
    key: Type.Union([Type.String(), Type.Null()], { description: 'Name of the key; null for a user without one' }),
    user: Type.Union([Type.String(), Type.Null()], {
      description: 'User whom the proxy of a single sign-on names; null without one',
    }),
    scopes: Type.Array(Type.String(), { description: 'Scopes of the key, or of the user without one' }),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the session ends at the latest; of a key that was sent itself, when that expires',
    }),
    idle_seconds: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds without a request after which the session ends; null for a key',
    }),
  },
  { $id: 'Session', description: 'The key or user that a request is signed in with' },
);

/** The key or user of a session. */
export type SessionState = Static<typeof SessionSchema>;

const SettingSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the setting' }),
    description: Type.String({ description: 'Meaning, in English' }),
    common: Type.Boolean({ description: 'True for one of the settings that most services are given' }),
    value: Type.Unknown({ description: 'Its value, passwords as `***`; null if it is not set' }),
    source: stringEnum(['default', 'file', 'environment', 'flag', 'database'], { description: 'Source of the value' }),
    reloadable: Type.Boolean({ description: 'True if SIGHUP applies a change' }),
  },
  { $id: 'ActiveSetting', description: 'A setting of the service' },
);

export const ActiveSettingsSchema = Type.Object(
  { items: Type.Array(SettingSchema, { description: 'In the order of the reference' }) },
  { $id: 'ActiveSettings', description: 'The active settings' },
);

/** A setting as the console shows it. */
export type ActiveSetting = Static<typeof SettingSchema>;

const NodeSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the node' }),
    version: Type.String({ description: 'Version of its program' }),
    model_version: Type.String({ description: 'Version of its models; empty until they were loaded' }),
    lists_version: Type.String({ description: "Version of the operator's lists; empty if there are none" }),
    started_at: Type.String({ format: 'date-time', description: 'When it was started' }),
    seen_at: Type.String({ format: 'date-time', description: 'Its latest heartbeat' }),
    ahead_seconds: Type.Number({ description: 'Clock offset against the database' }),
    waiting: Type.Integer({ minimum: 0, description: 'Checks in its spool' }),
    set_aside: Type.Integer({ minimum: 0, description: 'Answered checks that a database refused' }),
    prints: Type.Object(
      {},
      {
        $id: 'NodePrints',
        additionalProperties: Type.String(),
        description: 'Fingerprints of what should be the same, by its name',
      },
    ),
    is_alive: Type.Boolean({ description: 'True if it sent a heartbeat within a minute' }),
    differs: Type.Array(Type.String(), { description: 'In what it differs from most nodes' }),
  },
  { $id: 'FleetNode', description: 'A node that shares the databases' },
);

export const NodesSchema = Type.Object(
  { items: Type.Array(NodeSchema, { description: 'By name; empty without a database' }) },
  { $id: 'FleetNodes', description: 'The nodes that share the databases' },
);

/** A node of the fleet. */
export type NodeRow = Static<typeof NodeSchema>;

const KEY = {
  name: Type.String({ description: 'Name of the key' }),
  scopes: Type.Array(Type.String(), { description: 'Scopes of the key' }),
  limit: nullable(Type.Integer(), 'Checks in any 60 seconds, 0 for no limit; null for the default limit'),
  created_at: Type.String({ format: 'date-time', description: 'When it was created' }),
  expires_at: nullable(Type.String({ format: 'date-time' }), 'When it expires; null if it does not'),
  expired: Type.Boolean({ description: 'True if it has expired' }),
  last_used_at: nullable(
    Type.String({ format: 'date-time' }),
    'When it was last used; null if not since the service started',
  ),
  etag: Type.String({ description: 'Value of `If-Match` for a change' }),
};

export const KeySchema = Type.Object(KEY, { $id: 'Key', description: 'A key without its secret' });

export const KeysSchema = Type.Object(
  { items: Type.Array(KeySchema, { description: 'Keys, by name' }) },
  { $id: 'Keys', description: 'The keys of the installation' },
);

export const CreatedKeySchema = Type.Object(
  { ...KEY, secret: Type.String({ description: 'The key itself, which is never shown again' }) },
  { $id: 'CreatedKey', description: 'A key that was just created' },
);

/** A key without its secret. */
export type KeyRow = Static<typeof KeySchema>;

/** A key that was just created. */
export type CreatedKey = Static<typeof CreatedKeySchema>;

export const LoggedCheckSchema = Type.Object(
  {
    visibility: Type.Union([Type.Literal('public'), Type.Literal('private')], { description: 'Log of the check' }),
    client: nullable(
      Type.String(),
      'Keyed hash of the client, the same for all its checks; null in the public log, and for the command line',
    ),
    delivered: Type.Boolean({ description: 'False if the client disconnected before the answer' }),
    result: Type.Optional(CheckResultSchema),
    message: Type.Optional(MessageItemSchema),
    unreadable: nullable(Type.String(), 'Why the record cannot be read, and `result` is absent; else null'),
  },
  { $id: 'LoggedCheck', description: 'A check with its whole record' },
);

/** A check with its whole record. */
export type ShownLog = Static<typeof LoggedCheckSchema>;

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
