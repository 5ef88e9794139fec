import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of a file; null if it does not exist or is unreadable. */
export function textAt(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
}

/** Returns the paths of matching names in a folder; empty if the folder does not exist. */
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

/** Returns mode and owner of a file; null if it does not exist. */
export function permissionsAt(root: string, path: string): { mode: number; uid: number; gid: number } | null {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? null : { mode: found.mode & 0o7777, uid: found.uid, gid: found.gid };
}

/** Returns the id of a name in `/etc/passwd` or `/etc/group` (passwd(5), group(5)); null if unknown. */
export function idOf(root: string, file: 'passwd' | 'group', name: string): number | null {
  const row = (textAt(root, `/etc/${file}`) ?? '').split('\n').find((one) => one.startsWith(`${name}:`));
  const id = row?.split(':')[2];
  return id === undefined || !/^\d+$/.test(id) ? null : Number(id);
}

/** Returns the ids of an owner, `user:group`; null if either does not exist yet. */
export function idsOf(root: string, owner: string): { uid: number; gid: number } | null {
  const [user = '', group = ''] = owner.split(':');
  const [uid, gid] = [
    user === 'root' ? 0 : idOf(root, 'passwd', user),
    group === 'root' ? 0 : idOf(root, 'group', group),
  ];
  return uid === null || gid === null ? null : { uid, gid };
}
