import type { ConfigFor } from '#src/app/config.ts';
import type { Invocation } from '../command.ts';

/** The settings and options of `lists`. */
export type ListsInvocation = Invocation<ConfigFor<'lists'>>;
