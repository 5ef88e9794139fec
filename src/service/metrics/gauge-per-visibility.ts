import { Gauge, type Registry } from 'prom-client';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';

/** A family of one value for public and one for private checks; what is null, when somebody asks, is absent. */
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
