import { definePart } from '#src/parts/define-part.ts';

/** Lists that an operator manages: imported, changed, previewed, and followed at their sources. */
export const listsPart = definePart({
  name: 'lists',
  conditions: ['list_source_failed'],
  commands: { lists: async () => (await import('./command/lists.ts')).listsCommand },
  provides: { followListSources: async () => (await import('./follow-list-sources.ts')).followListSources },
});
