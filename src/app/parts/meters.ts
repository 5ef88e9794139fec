import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** A value and its labels. */
export type Sample = readonly [labels: Labels, value: number];

type Now<T> = () => T | Promise<T>;

/** Declares the metrics of a registry, each in a line. Those with a `read` are read at each scrape. */
export function metersOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    histogram: <Label extends string = never>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
      new Histogram<Label>({ name, help, buckets, labelNames, registers }),
    gauge: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge<Label>({ name, help, labelNames, registers }),
    /** A null value is absent from the scrape. */
    readGauge(name: string, help: string, read: Now<number | boolean | null>) {
      new Gauge({
        ...{ name, help, registers },
        async collect() {
          const value = await read();
          if (value === null) this.remove();
          else this.set(Number(value));
        },
      });
    },
    /** Values with the same labels are added up. */
    readGauges(name: string, help: string, labelNames: readonly string[], read: Now<Iterable<Sample>>) {
      new Gauge({
        ...{ name, help, labelNames, registers },
        async collect() {
          const samples = await read();
          this.reset();
          for (const [labels, value] of samples) this.inc(labels, value);
        },
      });
    },
    readCounter(name: string, help: string, read: Now<number>) {
      new Counter({
        ...{ name, help, registers },
        async collect() {
          const value = await read();
          this.reset();
          this.inc(value);
        },
      });
    },
    readCounters(name: string, help: string, labelNames: readonly string[], read: Now<Iterable<Sample>>) {
      new Counter({
        ...{ name, help, labelNames, registers },
        async collect() {
          const samples = await read();
          this.reset();
          for (const [labels, value] of samples) this.inc(labels, value);
        },
      });
    },
  };
}

/** Declares the metrics of one registry. */
export type Meters = ReturnType<typeof metersOf>;
