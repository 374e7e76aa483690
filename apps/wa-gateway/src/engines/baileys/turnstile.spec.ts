import { silentLogger } from '@platform/runtime';
import { Turnstile, type Entrance, type Pass } from './turnstile';

const HOUR_MS = 3_600_000;
/** As long as the library waits for a word. */
const LIMIT_MS = 20_000;
const LOGIN_MS = 400;
/** Attempts of four places in an hour of silence: those that begin before it is noticed, and one every five seconds. */
const IN_AN_HOUR = 2 * 4 - 1 + HOUR_MS / 5_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** WhatsApp, as the devices of a process meet it. */
const world = (places = 4) => {
  const turnstile = new Turnstile({ places, logger: silentLogger });
  const whatsapp = { isSilent: false, refuses: false };
  const [connected, tried]: [string[], string[]] = [[], []];
  let [connecting, most] = [0, 0];
  const attempt = (name: string, pass: Pass, again: () => void): void => {
    tried.push(name);
    most = Math.max(most, ++connecting);
    const fail = (): void => {
      connecting -= 1;
      pass.unheard();
      again();
    };
    const succeed = (): void => {
      connecting -= 1;
      connected.push(name);
      pass.leave();
    };
    if (whatsapp.refuses) return void setTimeout(fail, 1);
    if (whatsapp.isSilent) return void setTimeout(fail, LIMIT_MS);
    pass.heard();
    setTimeout(succeed, LOGIN_MS);
  };
  /** Tries until it is connected; after every failure it waits for ten minutes, unless that is excused. */
  const device = (name: string, entrance: Entrance): void => {
    let backoff: NodeJS.Timeout | undefined;
    let last: Pass | undefined;
    const hurry = (): void => {
      if (backoff && last?.isExcused) connect();
    };
    const again = (): void => {
      backoff = setTimeout(connect, 600_000);
      hurry();
    };
    const connect = (): void => {
      clearTimeout(backoff);
      backoff = undefined;
      void entrance
        .enter(() => true)
        .then((pass) => {
          last = pass;
          if (pass) attempt(name, pass, again);
        });
    };
    entrance.watch(hurry);
    connect();
  };
  const fleet = (tenant: string, count: number): void => {
    const entrance = turnstile.entrance(tenant);
    for (let n = 0; n < count; n++) device(`${tenant}${n}`, entrance);
  };
  return { turnstile, whatsapp, connected, tried, fleet, most: () => most };
};

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

describe('while WhatsApp answers', () => {
  it('500 devices connect four at a time, each of them once', async () => {
    const { fleet, tried, connected, most } = world();
    fleet('a', 500);
    await pass((500 / 4) * LOGIN_MS);
    expect([connected.length, new Set(tried).size, tried.length, most()]).toEqual([500, 500, 500, 4]);
  });

  it('the only device of a tenant waits for one place, not for the 400 devices of another tenant', async () => {
    const { fleet, connected } = world();
    fleet('many', 400);
    fleet('one', 1);
    await pass(2 * LOGIN_MS);
    expect(connected).toContain('one0');
  });

  it('tenants take turns, and the devices of one keep their order', async () => {
    const { fleet, tried } = world(1);
    fleet('a', 3);
    fleet('b', 2);
    await pass(5 * LOGIN_MS);
    expect(tried).toEqual(['a0', 'a1', 'b0', 'a2', 'b1']);
  });

  it('one device that gets no word holds up nobody', async () => {
    const { turnstile, fleet, connected } = world(2);
    const alone = await turnstile.entrance('a').enter(() => true);
    fleet('a', 10);
    await pass(LIMIT_MS);
    alone?.unheard();
    expect([connected.length, turnstile.isSilent]).toEqual([10, false]);
  });
});

describe('a place', () => {
  it('that nobody gives back is free again after two minutes', async () => {
    const { turnstile, fleet, connected } = world(1);
    (await turnstile.entrance('a').enter(() => true))?.heard();
    fleet('b', 1);
    await pass(119_000);
    expect(connected).toEqual([]);
    await pass(1_000 + LOGIN_MS);
    expect(connected).toEqual(['b0']);
  });

  it('that is given back after that frees no other', async () => {
    const { turnstile } = world(1);
    const late = await turnstile.entrance('a').enter(() => true);
    late?.heard();
    await pass(120_000);
    await turnstile.entrance('a').enter(() => true);
    late?.leave();
    expect(turnstile.connecting).toBe(1);
  });

  it('in which nothing was heard until then counts as one of the attempts that make WhatsApp silent', async () => {
    const { turnstile } = world(1);
    await turnstile.entrance('a').enter(() => true);
    await pass(120_000);
    expect(turnstile.isSilent).toBe(true);
  });
});

describe('while WhatsApp is silent', () => {
  it('one of 500 devices tries every five seconds, four at a time at most', async () => {
    const { whatsapp, fleet, tried, most, turnstile } = world();
    whatsapp.isSilent = true;
    fleet('a', 500);
    await pass(HOUR_MS);
    expect([turnstile.isSilent, most()]).toEqual([true, 4]);
    expect(tried.length).toBeLessThanOrEqual(IN_AN_HOUR);
    expect(tried.length).toBeGreaterThan(700);
  });

  it('also when it refuses connections at once', async () => {
    const { whatsapp, fleet, tried } = world();
    whatsapp.refuses = true;
    fleet('a', 500);
    await pass(HOUR_MS);
    expect(tried.length).toBeLessThanOrEqual(IN_AN_HOUR);
  });

  it('every device has its turn before one has its second', async () => {
    const { whatsapp, fleet, tried } = world();
    whatsapp.refuses = true;
    fleet('a', 100);
    await pass(100 * 5_000);
    expect(new Set(tried.slice(0, 100)).size).toBe(100);
  });

  it('devices that are no longer wanted take no turn', async () => {
    const { turnstile, whatsapp, fleet, tried } = world(1);
    whatsapp.refuses = true;
    fleet('a', 1);
    await pass(1);
    const gone = Array.from({ length: 500 }, () => turnstile.entrance('a').enter(() => false));
    fleet('b', 1);
    await pass(10_000);
    expect(tried).toEqual(['a0', 'b0']);
    expect(await Promise.all(gone)).toEqual(gone.map(() => undefined));
  });

  it('a person who waits for a device waits for no turn, and what he hears ends the silence', async () => {
    const { turnstile, whatsapp, fleet, connected } = world();
    whatsapp.refuses = true;
    fleet('a', 20);
    await pass(1_000);
    whatsapp.refuses = false;
    turnstile.entrance('a').enterAtOnce().heard();
    expect(turnstile.isSilent).toBe(false);
    await pass((20 / 4) * LOGIN_MS);
    expect(connected).toHaveLength(20);
  });

  it('an attempt that we end ourselves proves nothing', async () => {
    const { turnstile } = world(1);
    (await turnstile.entrance('a').enter(() => true))?.leave();
    expect(turnstile.isSilent).toBe(false);
  });
});

describe('when WhatsApp speaks again', () => {
  it.each([
    // One place after the other becomes free of what hung
    ['it took connections and said nothing', { isSilent: true }, LIMIT_MS],
    ['it refused connections', { refuses: true }, 5_000],
  ])('after an hour in which %s, all 500 devices connect without a backoff, four at a time', async (_, how, within) => {
    const { whatsapp, fleet, connected, most, tried } = world();
    Object.assign(whatsapp, how);
    fleet('a', 500);
    await pass(HOUR_MS);
    const before = tried.length;
    Object.assign(whatsapp, { isSilent: false, refuses: false });
    await pass(within + (500 / 4) * LOGIN_MS);
    expect([connected.length, new Set(connected).size, most()]).toEqual([500, 500, 4]);
    // One login each
    expect(tried.length - before).toBeLessThanOrEqual(500 + 4);
  });

  it('a device that is not heard while others are keeps its pause', () => {
    const { enterAtOnce } = world(1).turnstile.entrance('a');
    enterAtOnce().unheard();
    enterAtOnce().heard();
    const sick = enterAtOnce();
    enterAtOnce().heard();
    sick.unheard();
    expect(sick.isExcused).toBe(false);
  });

  it('the only device of a tenant is among the first, however many others wait', async () => {
    const { whatsapp, fleet, connected } = world();
    whatsapp.refuses = true;
    fleet('many', 400);
    fleet('one', 1);
    await pass(60_000);
    whatsapp.refuses = false;
    await pass(5_000 + 3 * LOGIN_MS);
    expect(connected).toContain('one0');
  });
});
