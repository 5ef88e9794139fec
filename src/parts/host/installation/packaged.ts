import openrc from '../../../../.ci/packaging/lurecheck.openrc' with { type: 'text' };
import unit from '../../../../.ci/packaging/lurecheck.service' with { type: 'text' };
import sysusers from '../../../../.ci/packaging/lurecheck.sysusers' with { type: 'text' };
import browserUnit from '../../../../.ci/packaging/lurecheck-browser.service' with { type: 'text' };
import { instanceUnit } from './instance-unit.ts';

/** Path of the program in packages and in the texts. */
export const PACKAGED_PROGRAM = '/usr/bin/lurecheck';

const forProgram = (text: string, program: string) => text.replaceAll(PACKAGED_PROGRAM, program);

/** The unit of systemd for one process. */
export const unitFor = (program: string): string => forProgram(unit, program);

/** Returns `lurecheck@.service`, the unit of several services on one port. */
export const instanceUnitFor = (program: string): string => forProgram(instanceUnit(unit), program);

/** The unit of a browser for pages, with its own user. */
export const BROWSER_UNIT = browserUnit;

/** The init script of OpenRC. */
export const openrcFor = (program: string): string => forProgram(openrc, program);

/** User definition for systemd-sysusers(8). */
export const SYSUSERS = sysusers;
