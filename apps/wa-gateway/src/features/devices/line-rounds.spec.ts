import { silentLogger } from '@platform/runtime';
import type { DeviceLine } from './device-line';
import { LineRounds, type LineRoundsOptions } from './line-rounds';

const told: string[] = [];
afterEach(() => told.splice(0));

const line = (instanceId: string, { isOpen = true, isUnused = true } = {}) =>
  ({
    instanceId,
    engine: {},
    outgoing: { isOpen },
    campaigns: { isUnused, wake: () => told.push(`wake ${instanceId}`) },
    pickUpForgotten: async () => void told.push(`pick up ${instanceId}`),
    chase: async (seconds: number) => void told.push(`chase ${instanceId} after ${seconds}`),
  }) as unknown as DeviceLine;

/** Asks by these; what is left out has nothing for anybody. */
const rounds = (options: { readonly [T in keyof LineRoundsOptions]?: object } = {}) =>
  new LineRounds({
    messages: { withForgotten: async () => [], withUnacknowledged: async () => [], ...options.messages },
    campaigns: { used: async () => [], ...options.campaigns },
    media: { withWaiting: async () => [], resume: async (id) => void told.push(`media ${id}`), ...options.media },
    lateFiles: { run: async () => undefined, ...options.lateFiles },
    ackSeconds: 60,
    logger: silentLogger,
  });

/** Notes for whom it is asked, and finds these. */
const asked =
  (what: string, ...found: string[]) =>
  async (ids: readonly string[]) => {
    told.push(`${what} ${ids.join(' ')}`);
    return found;
  };

describe('a round over the lines of a process', () => {
  it('asks once for all of them, and only those for which there is something look', async () => {
    const round = rounds({
      messages: { withForgotten: asked('forgotten', 'b') },
      media: { withWaiting: asked('waiting', 'a') },
      campaigns: { used: asked('used', 'c') },
    });
    await round.pickUpForgotten([line('a'), line('b', { isUnused: false }), line('c')]);
    expect(told).toEqual([
      ...['forgotten a b c', 'pick up b'],
      ...['waiting a b c', 'media a'],
      ...['used a c', 'wake c'],
    ]);
  });

  it('chases sends of those that have a line to WhatsApp', async () => {
    const round = rounds({ messages: { withUnacknowledged: asked('unacknowledged', 'b', 'c') } });
    await round.chase([line('a', { isOpen: false }), line('b'), line('c')]);
    expect(told).toEqual(['unacknowledged b c', 'chase b after 60', 'chase c after 60']);
  });

  it('asks nothing when there are none', async () => {
    const round = rounds({ messages: { withForgotten: asked('forgotten'), withUnacknowledged: asked('late') } });
    await Promise.all([round.chase([]), round.pickUpForgotten([])]);
    expect(told).toEqual([]);
  });

  it('goes on with the next question, and the next line, when one fails', async () => {
    const fails = () => Promise.reject(new Error('the database is away'));
    const round = rounds({
      messages: { withForgotten: fails },
      media: {
        withWaiting: asked('waiting', 'a', 'b'),
        resume: (id: string) => (id === 'a' ? fails() : Promise.resolve(told.push(`media ${id}`))),
      },
      lateFiles: { run: fails },
    });
    await round.pickUpForgotten([line('a'), line('b')]);
    await round.fetchLateFiles([line('a')]);
    expect(told).toEqual(['waiting a b', 'media b']);
  });
});
