import type { WrittenFile } from './system-change.ts';

/** A service as reported by its manager. */
export interface ServiceState {
  /** `lurecheck.service`, `lurecheck@1.service`, `lurecheck`. */
  readonly unit: string;
  readonly isEnabled: boolean;
  readonly activity: 'running' | 'starting' | 'failed' | 'stopped';
  /** Process of the service; null if it does not run. */
  readonly pid: number | null;
}

/** A service manager, and its commands. Each command changes something. */
export interface Manager {
  readonly name: 'systemd' | 'openrc';
  /** Returns true if it manages this host. */
  isRunning(): boolean;
  /** Returns true if it would manage the system in a root folder. */
  isIn(root: string): boolean;
  /** The files that it reads. */
  files(program: string): readonly ManagedFile[];
  /** The file for a browser beside the service; null if this manager has none. */
  readonly browserFile: ManagedFile | null;
  /** Returns a package's file for it, which is never replaced; null without one. */
  packagedFile(root: string): string | null;
  /** The first lines of the service's environment. */
  readonly environment: readonly string[];
  /** Makes the user; it is known not to be there. */
  makeUser(root: string): readonly (readonly string[])[];
  /** Returns the commands that start the service now and at boot, without those that have no effect. */
  enable(root: string, wanted: Enabling): readonly (readonly string[])[];
  /** Returns the commands that stop the service now and at boot, before its files are deleted. */
  disable(root: string): readonly (readonly string[])[];
  /** Returns the commands that make it forget deleted files. */
  afterRemoval(root: string): readonly (readonly string[])[];
  /** Returns the operator's files beside its own that change the service. */
  overrides(root: string): readonly string[];
  states(): Promise<readonly ServiceState[]>;
  /** Returns the commands that stop a service, and those that start it without waiting for readiness. */
  stop(unit: string): readonly (readonly string[])[];
  start(unit: string): readonly (readonly string[])[];
}

/** A file that only the manager reads. */
export type ManagedFile = Pick<WrittenFile, 'path' | 'text' | 'mode'>;

/** Options of {@link Manager.enable}. */
interface Enabling {
  /** True if its files or the program have changed. */
  readonly isRenewed: boolean;
  /** True if it is to be started now. */
  readonly isStarted: boolean;
  /** True if the browser is to be started, too. */
  readonly hasBrowser: boolean;
}
