import { environment, silentLogger } from '@platform/runtime';
import { startGate, until, type Gate } from '@platform/testing';
import { io } from 'socket.io-client';
import type { RedisConnection } from './redis-adapter';
import { unique, useSockets, withRedis } from './realtime.fixture';

interface Events {
  newMessage: { text: string };
}

const { open, connected, ended } = useSockets<Events>();

/** As `redisConnection` of libs/data makes one for an app. */
const connectionTo = (url: string) => (): RedisConnection => {
  const { createClient } = jest.requireActual<{
    createClient(options: object): RedisConnection & { on(event: 'error', listener: () => void): unknown };
  }>('redis');
  const client = createClient({ url });
  client.on('error', () => undefined);
  return client;
};

const replica = (name: string, url: string) =>
  open<undefined>({
    name,
    authenticate: () => ({ session: undefined, rooms: ['shop'] }),
    redis: connectionTo(url),
    address: 'http://127.0.0.1:9',
    logger: silentLogger,
  });

const listening = async (url: string, texts: string[]) => {
  const socket = await connected(url);
  socket.on('newMessage', ({ text }: { text: string }) => void texts.push(text));
  return socket;
};

withRedis('sockets without Redis at their start', () => {
  const redis = environment.REDIS_URL ?? '';
  const gates: Gate[] = [];
  const closedGate = async (): Promise<Gate> => {
    const gate = await startGate(redis);
    gates.push(gate);
    await gate.close();
    return gate;
  };
  afterEach(() => Promise.all(gates.splice(0).map((gate) => gate.close())));

  it('clients are let in, and hear every event, of all replicas, once Redis is there', async () => {
    const [name, gate] = [unique(), await closedGate()];
    const late = await replica(name, gate.url);
    const texts: string[] = [];
    await listening(late.url, texts);
    late.realtime.emit('shop', 'newMessage', { text: 'of the outage' });
    const there = await replica(name, redis);
    there.realtime.emit('shop', 'newMessage', { text: 'of another, of the outage' });
    await gate.open();
    await until(() => texts.length === 2);
    there.realtime.emit('shop', 'newMessage', { text: 'later' });
    await until(() => texts.length === 3);
    expect([texts.slice(0, 2).sort(), texts[2]]).toEqual([['of another, of the outage', 'of the outage'], 'later']);
    await until(
      () => there.realtime.audience('shop'),
      (count) => count === 1,
    );
  });

  it('ten thousand events wait for it, and no more', async () => {
    const gate = await closedGate();
    const late = await replica(unique(), gate.url);
    const texts: string[] = [];
    await listening(late.url, texts);
    for (let n = 1; n <= 10_100; n++) late.realtime.emit('shop', 'newMessage', { text: String(n) });
    await gate.open();
    await until(() => texts.length >= 10_000);
    late.realtime.emit('shop', 'newMessage', { text: 'later' });
    await until(() => texts.at(-1) === 'later');
    expect(texts.slice(-2)).toEqual(['10000', 'later']);
  });

  it('a client that returns after a short loss is let in, with a new session', async () => {
    const gate = await closedGate();
    const late = await replica(unique(), gate.url);
    const client = ended(io(late.url, { forceNew: true, transports: ['websocket'], autoConnect: false }));
    Object.assign(client, { _pid: 'a session of before', _lastOffset: '1-0' });
    client.connect();
    await until(() => client.connected);
    expect(client.recovered).toBe(false);
  });

  it('a stop does not wait for it', async () => {
    const late = await replica(unique(), (await closedGate()).url);
    await late.stop();
    expect(late.realtime.connections()).toBe(0);
  });

  it('a connection that is lost while other replicas are asked ends nothing', async () => {
    const gate = await startGate(redis);
    gates.push(gate);
    const one = await replica(unique(), gate.url);
    gate.hang(true);
    one.realtime.recheck('shop');
    await until(() => new Promise((resolve) => setImmediate(() => resolve(true))));
    await gate.close();
    gate.hang(false);
    await gate.open();
    const texts: string[] = [];
    await listening(one.url, texts);
    one.realtime.emit('shop', 'newMessage', { text: 'still here' });
    await until(() => texts.length === 1);
    expect(texts).toEqual(['still here']);
  });
});
