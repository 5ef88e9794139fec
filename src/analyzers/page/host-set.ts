/** Hosts, each with everything under it. */
export interface HostSet {
  /** `host` as in a Target. */
  has(host: string): boolean;
}

/** Makes a set of the domains in a text, which are set apart by spaces. */
export function hostSet(domains: string): HostSet {
  const known = new Set(domains.split(' '));
  return {
    has(host) {
      for (let start = 0; ; ) {
        if (known.has(host.slice(start))) return true;
        const dot = host.indexOf('.', start);
        if (dot === -1) return false;
        start = dot + 1;
      }
    },
  };
}
