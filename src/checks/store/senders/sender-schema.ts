import { blob, index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Confirmed senders of mails, without their addresses. Days are counted since the Unix epoch. */
export const senders = sqliteTable(
  'senders',
  {
    /** Keyed hash of the address. */
    address: blob('address', { mode: 'buffer' }).primaryKey(),
    firstDay: integer('first_day').notNull(),
    lastDay: integer('last_day').notNull(),
    /** Days with a mail. */
    days: integer('days').notNull(),
  },
  (table) => [index('senders_by_age').on(table.lastDay)],
);
