import { type LogEvent, type LogFields, ownMembers } from '../logger.ts';
import { ecsEvent } from './ecs-event.ts';

/** Names of the members of a line: those of this program, or those of the Elastic Common Schema. */
export const LOG_FORMATS = ['json', 'ecs'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/** Returns the members of an event as a format names them. */
export function membersIn(format: LogFormat, logged: LogEvent): LogFields {
  return format === 'ecs' ? ecsEvent(logged) : ownMembers(logged);
}
