import { definePart } from '#src/parts/define-part.ts';

/** Checks in the formats of other programs. */
export const exportPart = definePart({
  name: 'export',
  provides: { logExport: async () => (await import('./command/export-log.ts')).logExport },
});
