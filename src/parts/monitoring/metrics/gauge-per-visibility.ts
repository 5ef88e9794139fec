import { Gauge, type Registry } from 'prom-client';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';

/** Registers a gauge with one value for public and one for private checks; a null value is absent from the scrape. */
export function gaugePerVisibility(
  registry: Registry,
  { label, ...named }: { readonly name: string; readonly help: string; readonly label: 'log' | 'visibility' },
  read: (visibility: Visibility) => number | null,
): void {
  new Gauge({
    ...named,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const visibility of VISIBILITIES) {
        const value = read(visibility);
        if (value !== null) this.set({ [label]: visibility }, value);
      }
    },
  });
}
