import { readFileSync } from 'node:fs';

/** The originator of a change in the audit log. */
export type Actor =
  /** A person on this host; `as` is the user whose rights the command had, if that is another. */
  | { readonly user: string; readonly uid: number; readonly as?: number }
  /** The holder of a key of the API, the user whom a proxy names, and the address from which a change in the console came. */
  | { readonly key: string; readonly user?: string; readonly address?: string | null }
  /** A user whom a proxy signed in. */
  | { readonly user: string; readonly address: string | null }
  /** The service itself, by its settings. */
  | { readonly service: string };

/**
 * Returns the user of this process: by `SUDO_UID`, which sudo sets, else by the process's uid. Call it before the
 * process changes its user. `USER` can be forged and is ignored.
 */
export function currentActor(environment: Readonly<Record<string, string | undefined>>): Actor {
  const own = process.getuid?.() ?? 0;
  const sudo = environment['SUDO_UID'];
  const uid = sudo !== undefined && /^\d{1,10}$/.test(sudo) ? Number(sudo) : own;
  return { user: nameOf(uid), uid, ...(uid !== own && { as: own }) };
}

/** Formats an actor for a sentence. */
export function describeActor(actor: Actor): string {
  if ('key' in actor) return `key ${actor.key}${actor.user === undefined ? '' : ` (user ${actor.user})`}`;
  if ('service' in actor) return `service (${actor.service})`;
  if (!('uid' in actor)) return `user ${actor.user}`;
  return actor.as === undefined ? actor.user : `${actor.user} as uid ${actor.as}`;
}

/** Returns the name of a user in passwd(5), else the uid. */
function nameOf(uid: number): string {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    return rows.map((row) => row.split(':')).find((row) => row[2] === String(uid))?.[0] ?? String(uid);
  } catch {
    return String(uid);
  }
}
