import { FailureError } from '#src/core/base/failure.ts';
import type { Traced } from '#src/core/base/traced.ts';
import { abortFailure, untilAborted } from '../budget/deadline.ts';
import type { EgressCompartment } from '../compartment.ts';
import type { DnsType } from './answer.ts';
import type { FullAnswer } from './follow.ts';
import type { DnsShelf } from './shelves.ts';
import type { DnsUpstream } from './upstream.ts';

/** A stub resolver (RFC 1034 §5.3.1) with the memory of one compartment. */
export interface Resolver {
  /**
   * The answer to one question, from what is kept where its TTL allows. Equal questions that are under way share one
   * answer. Fails as {@link DnsUpstream.ask} does, with `unreachable` also while the circuit is open, and with `overloaded`.
   */
  resolve<T extends DnsType>(name: string, type: T, signal: AbortSignal): Promise<FullAnswer<T>>;
}

/** A resolver that asks `upstream`, and remembers and waits in the compartment. */
export function createResolver(
  { ask, circuit, closed }: DnsUpstream,
  { answers, questions }: Pick<EgressCompartment, 'answers' | 'questions'>,
): Resolver {
  async function askInTurn<T extends DnsType>(name: string, type: T): Promise<FullAnswer<T>> {
    using _place = await questions.enter(closed);
    return await ask(name, type);
  }

  function askOnce<T extends DnsType>(name: string, type: T, { kept, underWay }: DnsShelf<T>): Promise<FullAnswer<T>> {
    const pending = underWay.get(name);
    if (pending !== undefined) return pending;
    const asked = askInTurn(name, type)
      .then((answer) => {
        kept.set(name, answer, answer.keepSeconds * 1000);
        return answer;
      })
      .finally(() => underWay.delete(name));
    // Whoever asked may have left by the time it fails.
    asked.catch(() => {});
    underWay.set(name, asked);
    return asked;
  }

  return {
    async resolve(name, type, signal) {
      if (signal.aborted) throw abortFailure(signal);
      const shelf = answers[type];
      const known = shelf.kept.get(name);
      if (known) return known;
      if (circuit.isOpen()) {
        if (circuit.mayTry()) void askOnce(name, type, shelf).catch(() => {});
        throw new FailureError('unreachable', 'the resolver has been silent and rests');
      }
      const asked = askOnce(name, type, shelf);
      return await untilAborted(signal, (resolve, reject) => {
        asked.then(resolve, reject);
        return () => {};
      });
    },
  };
}

/** The same resolver, each question of which is a step. */
export function traceQuestions({ resolve }: Resolver, traced: Traced): Resolver {
  return {
    resolve: (name, type, signal) =>
      traced(
        'dns',
        `${name} ${type}`,
        () => resolve(name, type, signal),
        ({ rcode, records, chain }) =>
          [
            rcode,
            `${records.length} ${records.length === 1 ? 'record' : 'records'}`,
            ...chain.map((alias) => `alias ${alias}`),
          ].join(', '),
      ),
  };
}
