/** The parts of the manual in the order in which one reads them, each with what it answers. */
export const PARTS = {
  operation: 'where to look first, and what to read on',
  proxies: 'nginx, HAProxy and Caddy in front, each with an example that is tried',
  alerts: 'each alert, what it means, and what to do',
} as const;

/** The name of a part, as in `lurecheck help NAME`, at `/help/NAME` and of its file. */
export type PartName = keyof typeof PARTS;

/** Whether there is a part of that name. */
export const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);
