import openrc from '../../../.ci/packaging/lurecheck.openrc' with { type: 'text' };
import unit from '../../../.ci/packaging/lurecheck.service' with { type: 'text' };
import sysusers from '../../../.ci/packaging/lurecheck.sysusers' with { type: 'text' };
import { instanceUnit } from './instance-unit.ts';

/** Where a package has the program, and the texts say that it is. */
export const PACKAGED_PROGRAM = '/usr/bin/lurecheck';

const forProgram = (text: string, program: string) => text.replaceAll(PACKAGED_PROGRAM, program);

/** The unit of systemd for one process. */
export const unitFor = (program: string): string => forProgram(unit, program);

/** That for several on one port, `lurecheck@.service`. */
export const instanceUnitFor = (program: string): string => forProgram(instanceUnit(unit), program);

/** The init script of OpenRC. */
export const openrcFor = (program: string): string => forProgram(openrc, program);

/** What systemd-sysusers(8) makes the user of. */
export const SYSUSERS = sysusers;
