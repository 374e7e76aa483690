/** What one run does; all its randomness derives from `seed`. */
export interface Plan {
  /** Customers' messages, spread evenly over the chats. */
  readonly messages: number;
  readonly chats: number;
  /** Agents' answers, spread evenly over the chats. */
  readonly replies: number;
  /** How often each of chat-backend and wa-gateway is killed. */
  readonly kills: number;
  /** People write evenly over this time, and the kills happen in it. */
  readonly seconds: number;
  readonly seed: number;
  /** How long messages may take to arrive after the last one was written. */
  readonly patienceSeconds: number;
}

const USUAL: Plan = { messages: 3_000, chats: 60, replies: 600, kills: 6, seconds: 90, seed: 1, patienceSeconds: 120 };

/** The defaults with the numbers of the command line: whole ones from 1. Throws with the option that is wrong. */
export const numbersFrom = <Numbers extends object>(usual: Numbers, args: readonly string[]): Numbers => {
  const given = args.map((arg): [string, number] => {
    const [, name = '', value = ''] = /^--(\w+)=(\d+)$/.exec(arg) ?? [];
    if (!(name in usual) || !(Number(value) >= 1))
      throw new Error(
        `"${arg}" is no option: use ${Object.keys(usual)
          .map((key) => `--${key}=<number>`)
          .join(' ')}`,
      );
    return [name, Number(value)];
  });
  return { ...usual, ...Object.fromEntries(given) };
};

/** `--messages=5000 --seed=7` */
export const planFrom = (args: readonly string[]): Plan => numbersFrom(USUAL, args);

/** A generator of numbers in [0, 1), the same for the same seed (mulberry32, Tommy Ettinger). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export interface Kill {
  readonly service: 'chat-backend' | 'wa-gateway';
  readonly atMs: number;
  /** How long the service is down before it is started again. */
  readonly awayMs: number;
}

/** The kills of a run in chronological order, none in its first and last tenth. */
export const killsOf = ({ kills, seconds, seed }: Plan): Kill[] => {
  const random = randomFrom(seed);
  const moments = (service: Kill['service']): Kill[] =>
    Array.from({ length: kills }, () => ({
      service,
      atMs: (0.1 + 0.8 * random()) * seconds * 1000,
      awayMs: random() * 1000,
    }));
  return [...moments('chat-backend'), ...moments('wa-gateway')].sort((one, other) => one.atMs - other.atMs);
};
