import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file; null where there is none, or none that can be read. */
export function textAt(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
}

/** Paths of what in a folder has such a name; none where there is no folder. */
export function pathsIn(root: string, folder: string, name: RegExp): string[] {
  try {
    return readdirSync(join(root, folder))
      .filter((one) => name.test(one))
      .toSorted()
      .map((one) => `${folder}/${one}`);
  } catch {
    return [];
  }
}

/** Mode and owner of what is there; null where there is nothing. */
export function permissionsAt(root: string, path: string): { mode: number; uid: number; gid: number } | null {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? null : { mode: found.mode & 0o7777, uid: found.uid, gid: found.gid };
}

/** The number of a name in `/etc/passwd` or `/etc/group` (passwd(5), group(5)); null where it has none. */
export function idOf(root: string, file: 'passwd' | 'group', name: string): number | null {
  const row = (textAt(root, `/etc/${file}`) ?? '').split('\n').find((one) => one.startsWith(`${name}:`));
  const id = row?.split(':')[2];
  return id === undefined || !/^\d+$/.test(id) ? null : Number(id);
}

/** The numbers of an owner, `user:group`; null where either is not known yet. */
export function idsOf(root: string, owner: string): { uid: number; gid: number } | null {
  const [user = '', group = ''] = owner.split(':');
  const [uid, gid] = [
    user === 'root' ? 0 : idOf(root, 'passwd', user),
    group === 'root' ? 0 : idOf(root, 'group', group),
  ];
  return uid === null || gid === null ? null : { uid, gid };
}
