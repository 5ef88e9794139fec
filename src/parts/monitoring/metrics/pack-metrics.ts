import { Gauge, type Registry } from 'prom-client';

/** Sources of pack metrics. */
export interface MeasuredPacks {
  readonly packs: readonly {
    readonly name: string;
    readonly version: number;
    readonly publisher: string;
    /** ISO 8601 UTC; null if unreadable. */
    readonly expires: string | null;
  }[];
  /** Files of the drop folder. */
  readonly refused: readonly unknown[];
  readonly notices: readonly unknown[];
}

/** Registers the metrics of signed packs. */
export function packMetrics(registry: Registry, measured: () => MeasuredPacks): void {
  new Gauge({
    name: 'lurecheck_pack_info',
    help: 'Always 1; the active signed packs.',
    labelNames: ['pack', 'version', 'publisher'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, version, publisher } of measured().packs) this.set({ pack: name, version, publisher }, 1);
    },
  });
  new Gauge({
    name: 'lurecheck_pack_expires_timestamp_seconds',
    help: 'Expiry of an active signed pack, in seconds since the Unix epoch.',
    labelNames: ['pack'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, expires } of measured().packs) {
        if (expires !== null) this.set({ pack: name }, Date.parse(expires) / 1000);
      }
    },
  });
  new Gauge({
    name: 'lurecheck_pack_problems',
    help: 'What is wrong with signed packs and the clock that they are held against: those that are out of date, revoked or unusable, a clock that went back, and files of the drop folder that are refused.',
    registers: [registry],
    collect() {
      const { notices, refused } = measured();
      this.set(notices.length + refused.length);
    },
  });
}
