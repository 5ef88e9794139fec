import type { Io } from '#src/core/base/io.ts';
import { readServiceAuthorities } from '#src/network/egress/egress.ts';
import type { CheckInput } from '../check/check-input.ts';
import type { CheckOutcome } from '../check/check-one.ts';
import type { Invocation } from '../command.ts';
import { serviceAt } from './ask-service.ts';
import { checkRemotely } from './check-remotely.ts';
import { type NamedService, readServiceAddress } from './service-address.ts';

/** A shorter wait is over before anybody has read of it. */
const MIN_REPORTED_SECONDS = 3;

/** A service, and the log that it uses. */
export interface ServiceRequest {
  readonly service: NamedService;
  readonly isPrivate: boolean;
}

/** Checks inputs at a service, and reports waiting times on a terminal. Throws like its parts. */
export async function* checkAtService(
  inputs: AsyncIterable<readonly CheckInput[]>,
  { service, isPrivate }: ServiceRequest,
  { config, isQuiet }: Pick<Invocation<Parameters<typeof readServiceAuthorities>[0]>, 'config' | 'isQuiet'>,
  io: Pick<Io, 'stderr'>,
): AsyncGenerator<CheckOutcome> {
  const way = await readServiceAddress(service);
  const ask = serviceAt(way, await readServiceAuthorities(config));
  const wait = async (seconds: number) => {
    if (!isQuiet && seconds >= MIN_REPORTED_SECONDS) {
      await io.stderr.write(`lurecheck: ${way.url} limits the rate; continuing in ${seconds} s\n`);
    }
    await Bun.sleep(seconds * 1000);
  };
  yield* checkRemotely(inputs, { ask, isPrivate, wait });
}
