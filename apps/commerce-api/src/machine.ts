import { Conflict, type Failure } from '@platform/errors';

export const invalidTransition = (state: string): Failure =>
  new Conflict(`It is ${state}: that cannot be done with it now`, { code: 'invalid_transition' });

/** Which events lead from which state to which; anything else is refused (design 3). */
export interface Machine<State extends string, Event extends string> {
  /** Throws `invalid_transition`. The caller holds the lock of the row whose state this is. */
  next(state: State, event: Event): State;
}

/** Declares a machine: `machine({ open: { cancel: 'cancelled' }, cancelled: {} })`. */
export const machine = <State extends string, Event extends string>(
  moves: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>,
): Machine<State, Event> => ({
  next: (state, event) => {
    const to = moves[state][event];
    if (to === undefined) throw invalidTransition(state);
    return to;
  },
});
