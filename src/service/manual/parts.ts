/** The parts of the manual in the order in which one reads them, each with what it is about. */
export const PARTS = {
  operation: 'where to look first, and what to read on',
  installing: 'without a network, as a service, as a container; settings; upgrades',
  proxies: 'nginx, HAProxy and Caddy in front, each with an example that is tried',
  clients: 'limits, keys, many links at once',
  blocking: 'lists of what to block and allow, in and out; what an import shows; the way back',
  teaching: 'brands, models, what people say, judging again',
  packs: 'models, thresholds, lists and brands on a stick, signed; whose are believed; what expires',
  watching: 'health, metrics, what it tells, a log server',
  alerts: 'each alert, what it means, and what to do',
  data: 'the logs, their bounds, exports, backups',
  privacy: 'what is kept where, for how long, and how to erase it',
  sizing: 'processors, memory and disk, by figures that were measured',
  threats: 'what it holds against, and what it leaves to you',
  fleet: 'several machines, with one log in PostgreSQL and one limit in a Redis',
} as const;

/** The name of a part, as in `lurecheck help NAME`, at `/help/NAME` and of its file. */
export type PartName = keyof typeof PARTS;

/** Whether there is a part of that name. */
export const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);
