import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Pictures of pages, each with the check that it belongs to. */
export const pictures = sqliteTable(
  'pictures',
  {
    requestId: text('request_id').primaryKey(),
    /** Milliseconds since the Unix epoch. */
    takenAtMs: integer('taken_at_ms').notNull(),
    bytes: integer('bytes').notNull(),
    /** A WebP file. */
    webp: blob('webp', { mode: 'buffer' }).notNull(),
  },
  (table) => [index('pictures_by_age').on(table.takenAtMs, table.bytes)],
);
