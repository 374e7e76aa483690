import { Sends, silentLogger, systemClock } from '@platform/runtime';
import type { WaEngine } from '../../engines/engine.types';
import type { CampaignLane } from '../campaigns/public';
import { TokenBucket, type MessageReports, type MessagesRepository, type UnsentMessage } from '../messages/public';
import { DeviceLine } from './device-line';

const CHAT = '628123456789@s.whatsapp.net';
const message = (id: string): UnsentMessage => ({ id, chat: CHAT, isReply: true });
const bucket = () => new TokenBucket({ perSecond: 0, burst: 0 } as never, systemClock);

type Engine = Partial<Pick<WaEngine, 'send' | 'stop' | 'repeatable'>>;

const leases = { owner: 'me', isOurs: async () => true, forgives: async () => false };

/** A line on an engine and a table of the test. */
const lineOn = (engine: Engine, messages: Partial<MessagesRepository> = {}) => {
  const line = new DeviceLine({
    instanceId: 'dev1',
    engine: { repeatable: false, ...engine } as unknown as WaEngine,
    sending: { buckets: { reply: bucket(), other: bucket() }, sends: new Sends(), leases },
    messages: messages as MessagesRepository,
    reports: {} as MessageReports,
    laneOf: () => ({ wake: () => undefined, close: async () => undefined }) as unknown as CampaignLane,
    logger: silentLogger,
  });
  line.outgoing.resume();
  return line;
};
const handsOver = {
  markSending: async () => ({
    ours: true,
    payload: { content: { kind: 'text', text: 'halo' }, options: {} },
    earlier: [],
  }),
  markHandedOver: async () => undefined,
} as unknown as Partial<MessagesRepository>;

describe('a line that closes while a send hangs', () => {
  afterEach(() => jest.useRealTimers());

  it('waits for it for some seconds, then leaves the network: somebody else has room for the device', async () => {
    jest.useFakeTimers();
    const stop = jest.fn(async () => undefined);
    const line = lineOn({ send: () => new Promise(() => undefined), stop }, handsOver);
    line.outgoing.push(message('A'));
    await jest.advanceTimersByTimeAsync(0);
    const closing = line.close();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(stop).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(stop).toHaveBeenCalledTimes(1);
    await closing;
  });
});

describe('a send that is taken to the line by a commit whose answer gets lost', () => {
  afterEach(() => jest.useRealTimers());

  /** The table of two sends; the first answer about `A` gets lost on the way. */
  const losesAnAnswer = () => {
    const states = new Map([
      ['A', 'queued'],
      ['B', 'queued'],
    ]);
    let lost = false;
    const markSending: MessagesRepository['markSending'] = async (_instance, id, { also }) => {
      const payload =
        states.get(id) === 'queued' || also.some((state) => states.get(id) === state)
          ? { content: { kind: 'text' as const, text: id }, options: {} }
          : null;
      if (payload) states.set(id, 'sending');
      if (lost) return { ours: true, payload, earlier: [] };
      lost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    return { markSending, markHandedOver: async () => undefined };
  };

  it('leaves no second time where it had left already and the database is away when its queue looks again', async () => {
    jest.useFakeTimers();
    const send = jest.fn(async () => ({ waId: 'wa' }));
    const asked: (readonly string[])[] = [];
    const markSending: MessagesRepository['markSending'] = async (_instance, _id, { also }) => {
      asked.push(also);
      if (asked.length === 1) throw new Error('Connection terminated unexpectedly');
      const payload = { content: { kind: 'text' as const, text: 'A' }, options: {} };
      return { ours: true, payload: also.includes('sent_to_engine') ? payload : null, earlier: [] };
    };
    lineOn({ send }, { markSending }).outgoing.push(message('A'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([[], ['sending']]);
    expect(send).not.toHaveBeenCalled();
  });

  it.each([false, true])('leaves before what follows it in its chat, once (repeatable: %s)', async (repeatable) => {
    jest.useFakeTimers();
    const left: unknown[] = [];
    const send = async (_chat: string, content: unknown) => (left.push(content), { waId: 'wa' });
    const line = lineOn({ repeatable, send: send as unknown as WaEngine['send'] }, losesAnAnswer());
    line.outgoing.push(message('A'));
    line.outgoing.push(message('B'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(left).toEqual([
      { kind: 'text', text: 'A' },
      { kind: 'text', text: 'B' },
    ]);
  });
});
