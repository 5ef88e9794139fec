import type { Meters } from '#src/app/parts/meters.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';

/** Registers a gauge with one value for public and one for private checks; a null value is absent from the scrape. */
export function gaugePerVisibility(
  { readGauges }: Meters,
  name: string,
  help: string,
  label: 'log' | 'visibility',
  read: (visibility: Visibility) => number | null,
): void {
  readGauges(name, help, [label], () =>
    VISIBILITIES.flatMap((visibility) => {
      const value = read(visibility);
      return value === null ? [] : [[{ [label]: visibility }, value] as const];
    }),
  );
}
