/** Time as an argument, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Only ever goes on, also when somebody sets the system's clock: for how long ago something was in this process, not for dates. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) };

/** A clock that stands still until it is advanced. */
export const fixedClock = (start: Date | string): Clock & { advance(milliseconds: number): void } => {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    advance: (milliseconds) => {
      at += milliseconds;
    },
  };
};
