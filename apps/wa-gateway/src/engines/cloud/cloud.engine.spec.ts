import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fixedClock, Semaphore, silentLogger } from '@platform/runtime';
import { freePort } from '@platform/testing';
import { startGraphSandbox, type GraphSandbox } from '@platform/testing/graph';
import { EngineBusy, EngineOffline, EngineRefused, EngineUncertain, EngineUnsupported } from '../engine.errors';
import type { DeviceState, EngineSink, OutContent } from '../engine.types';
import type { IdentityStore } from '../identity.store';
import { CloudEngine, type CloudContext } from './cloud.engine';
import { CloudMedia } from './cloud.media';
import type { CloudMessages } from './cloud.store';
import { GraphClient } from './graph.client';

const NUMBER = '106540352242922';
const BUDI = '628120000001@s.whatsapp.net';
const SITI = '628120000002@s.whatsapp.net';
const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const text: OutContent = { kind: 'text', text: 'halo' };

let sandbox: GraphSandbox;
// One where it can be found again when it was away
beforeEach(async () => void (sandbox = await startGraphSandbox({ port: await freePort() })));
afterEach(async () => {
  await Promise.all(open.splice(0).map((stop) => stop()));
  await sandbox.close();
});
const open: (() => Promise<void>)[] = [];

/** Our id `OURS` is Meta's `wamid.OURS`; Budi wrote `wamid.last`. */
const store: CloudMessages = {
  waIdOf: async (_, id) => (id.startsWith('wamid.') ? id : `wamid.${id}`),
  idOf: async () => undefined,
  learn: async () => undefined,
  textOf: async () => undefined,
  lastInbound: async (_, chat) => (chat === BUDI ? [...sandbox.wa.store.inbound].at(-1) : undefined),
  forgetAccount: async () => undefined,
  identitiesOf: () => ({ numberOf: async () => undefined, learn: async () => false }) as unknown as IdentityStore,
};

interface Options {
  readonly token?: string;
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly hosts?: readonly string[];
  readonly status?: DeviceState;
  readonly gate?: Semaphore;
  /** So many states cannot be stored. */
  readonly unstored?: number;
}

const start = async ({ token = 'sandbox-token', url = sandbox.url, ...options }: Options = {}) => {
  const states: [DeviceState, string?][] = [];
  let { unstored = 0 } = options;
  const sink = {
    state: async (state: DeviceState, cause?: string) => {
      if (unstored-- > 0) throw new Error('the store is away');
      states.push(cause ? [state, cause] : [state]);
    },
  };
  const clock = fixedClock(new Date('2026-11-20T10:00:00Z'));
  const graph = new GraphClient({ baseUrl: url, version: 'v24.0', timeoutMs: options.timeoutMs ?? 5_000 });
  const context: CloudContext = {
    graph,
    looks: { gate: options.gate ?? new Semaphore(4), againMs: 5 },
    media: new CloudMedia(graph, options.hosts ?? [new URL(url).host]),
    store,
    fileOf: async ({ key, mimetype }) => ({ name: key, mimetype, size: 7, open: () => Readable.from([PICTURE]) }),
    clock,
    logger: silentLogger,
  };
  const account = { numberId: NUMBER, token, appSecret: 'secret', verifyToken: 'verify' };
  const engine = new CloudEngine({ instanceId: 'toko-1', status: options.status ?? 'created', account }, context);
  open.push(async () => {
    await engine.stop();
    await graph.http.stop?.();
  });
  await engine.start(sink as EngineSink);
  await engine.pair();
  return { engine, states, clock };
};
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it did not fail',
    (cause: unknown) => cause,
  );
const send = (engine: CloudEngine, to = BUDI, content: OutContent = text, quotedId?: string) =>
  engine.send(to, content, { id: 'OUR-ID', quotedId });

describe('linking', () => {
  it('is one look at the number', async () => {
    const { engine, states } = await start();
    expect(states).toEqual([['connecting'], ['connected']]);
    expect(engine.info()).toEqual({
      linked: true,
      number: '6281110000001@s.whatsapp.net',
      pushName: 'Toko Nusa',
      platform: 'cloud',
    });
  });

  it('ends in logged_out when Meta does not take the token', async () => {
    const { engine, states } = await start({ token: 'old' });
    expect(states).toEqual([['connecting'], ['logged_out', '190 Invalid OAuth access token.']]);
    expect(engine.info()).toEqual({ linked: false });
    expect(await failure(send(engine))).toBeInstanceOf(EngineOffline);
  });

  it('goes on asking when nobody answers, and connects when somebody does', async () => {
    sandbox.wa.addFault({ kind: '500', call: 'number' });
    const { engine, states } = await start();
    expect([states, engine.info().linked]).toEqual([[['connecting']], false]);
    while (states.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(states.at(-1)).toEqual(['connected']);
  });

  it.each([4, 130429])('is not ended by %i: Meta is only busy', async (code) => {
    sandbox.wa.addFault({ kind: 'error', code, call: 'number' });
    const { states } = await start({ status: 'connected' });
    while (states.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(states).toEqual([['reconnecting'], ['connected']]);
  });

  it.each<[string, Options, [DeviceState, string?]]>([
    ['connects', {}, ['connected']],
    ['signs out', { token: 'old' }, ['logged_out', '190 Invalid OAuth access token.']],
  ])('%s also when the store was away as well', async (_, options, last) => {
    sandbox.wa.addFault({ kind: '500', call: 'number' });
    const { states } = await start({ ...options, status: 'connected', unstored: 2 });
    while (states.at(-1)?.[0] !== last[0]) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(states.at(-1)).toEqual(last);
  });

  it('does not repeat the token in what Meta says of it', async () => {
    const server = createServer((_, response) =>
      response.writeHead(400).end('{"error":{"code":190,"message":"Malformed access token geheim-1"}}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { states } = await start({
      token: 'geheim-1',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    expect(states.at(-1)).toEqual(['logged_out', '190 Malformed access token ***']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('ends with a logout: nobody connects any more who was asking for it', async () => {
    sandbox.wa.addFault({ kind: '500', call: 'number', times: 2 });
    const { engine, states } = await start({ status: 'connected' });
    while (states.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.logout();
    await engine['link']['looking'];
    expect([states.at(-1), engine.info().linked]).toEqual([['logged_out'], false]);
  });

  it('of a device that was linked waits for its turn', async () => {
    const gate = new Semaphore(1);
    const leave = await gate.acquire();
    const { states } = await start({ status: 'connected', gate });
    expect([states, gate.waiting]).toEqual([[], 1]);
    leave();
    await (
      await gate.acquire()
    )();
    expect(states).toEqual([['connected']]);
  });

  it('of a device that was linked happens in the background, and keeps its sends waiting meanwhile', async () => {
    sandbox.wa.addFault({ kind: '500', call: 'number' });
    const { engine, states } = await start({ status: 'connected' });
    expect(engine.info().linked).toBe(true);
    while (states.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(states).toEqual([['reconnecting'], ['connected']]);
  });
});

describe('a send', () => {
  const media = { key: 'foto.jpg', mimetype: 'image/jpeg', fileName: 'foto.jpg', size: 7 };
  const file = { id: expect.stringMatching(/^\d+$/) };
  it.each<[string, OutContent, string, object]>([
    ['text', text, 'text', { body: 'halo' }],
    ['image', { kind: 'image', media, caption: 'ini kak' }, 'image', { ...file, caption: 'ini kak' }],
    ['video', { kind: 'video', media: { ...media, mimetype: 'video/mp4' } }, 'video', file],
    ['document', { kind: 'document', media }, 'document', { ...file, filename: 'foto.jpg' }],
    ['audio', { kind: 'audio', media: { ...media, mimetype: 'audio/mpeg' } }, 'audio', file],
    ['voice', { kind: 'voice', media: { ...media, mimetype: 'audio/ogg' } }, 'audio', { ...file, voice: true }],
    ['sticker', { kind: 'sticker', media: { ...media, mimetype: 'image/webp' } }, 'sticker', file],
    [
      'location',
      { kind: 'location', latitude: -6.2, longitude: 106.8 },
      'location',
      { latitude: -6.2, longitude: 106.8 },
    ],
    ['reaction', { kind: 'reaction', id: 'OURS', emoji: '👍' }, 'reaction', { message_id: 'wamid.OURS', emoji: '👍' }],
    [
      'contact',
      { kind: 'contact', name: 'Siti', phone: SITI },
      'contacts',
      {
        contacts: [
          {
            name: { formatted_name: 'Siti', first_name: 'Siti' },
            phones: [{ phone: '+628120000002', wa_id: '628120000002', type: 'CELL' }],
          },
        ],
      },
    ],
  ])('of kind %s arrives, with our id as opaque data', async (_, content, type, expected) => {
    const { engine } = await start();
    const { waId } = await send(engine, BUDI, content, 'QUOTED');
    expect(sandbox.wa.store.sent).toEqual([
      {
        id: waId,
        numberId: NUMBER,
        to: '628120000001',
        type,
        content: expected,
        quotes: 'wamid.QUOTED',
        opaque: 'OUR-ID',
        level: 'delivered',
      },
    ]);
    const { id } = sandbox.wa.store.sent[0]?.content as { id?: string };
    if (id) expect(sandbox.wa.store.file(id)?.bytes).toEqual(PICTURE);
  });

  it.each([
    [131047, 'WA_131047'],
    [131026, 'WA_131026'],
    [100, 'WA_100'],
  ])('that Meta refuses with %i is refused for good', async (code, expected) => {
    const { engine } = await start();
    sandbox.wa.addFault({ kind: 'error', code });
    const refused = await failure(send(engine));
    expect(refused).toBeInstanceOf(EngineRefused);
    expect(refused).toMatchObject({ code: expected });
  });

  it('over the pair rate makes its chat wait 1, 4, 16 s, and no other', async () => {
    const { engine } = await start();
    sandbox.wa.addFault({ kind: 'error', code: 131056, to: '628120000001', times: 3 });
    const waits: unknown[] = [];
    for (let n = 0; n < 3; n++) waits.push(((await failure(send(engine))) as EngineBusy).retryAfterMs);
    expect(waits).toEqual([1_000, 4_000, 16_000]);
    await send(engine, SITI);
    await send(engine, BUDI);
    sandbox.wa.addFault({ kind: 'error', code: 131056, to: '628120000001' });
    expect(await failure(send(engine))).toMatchObject({ retryAfterMs: 1_000 });
  });

  it.each([[130429], [131000], [2]])('that meets %i holds the whole number, longer each time', async (code) => {
    const { engine, clock } = await start();
    sandbox.wa.addFault({ kind: 'error', code, times: 2 });
    expect(await failure(send(engine, BUDI))).toMatchObject({ retryAfterMs: 1_000 });
    expect(await failure(send(engine, SITI))).toMatchObject({ retryAfterMs: 1_000 });
    clock.advance(1_000);
    expect(await failure(send(engine, SITI))).toMatchObject({ retryAfterMs: 2_000 });
    clock.advance(2_000);
    await send(engine, BUDI);
    expect(sandbox.wa.store.sent).toHaveLength(1);
  });

  it('with a token that has expired logs the device out', async () => {
    const { engine, states } = await start();
    sandbox.wa.addFault({ kind: 'error', code: 190 });
    expect(await failure(send(engine))).toMatchObject({ code: 'LOGGED_OUT' });
    expect(states.at(-1)).toEqual(['logged_out', '190 Your access token has expired']);
    expect(await failure(send(engine))).toBeInstanceOf(EngineOffline);
  });

  it.each([
    ['the connection drops after Meta took it', { kind: 'accept_then_drop' as const }],
    ['the answer takes too long', { kind: 'delay' as const, ms: 60_000 }],
  ])('is uncertain when %s', async (_, fault) => {
    const { engine } = await start({ timeoutMs: 2_000 });
    sandbox.wa.addFault(fault);
    expect(await failure(send(engine))).toBeInstanceOf(EngineUncertain);
    expect(sandbox.wa.store.sent).toHaveLength(1);
  });

  it('waits when nobody can be reached, until somebody answers', async () => {
    const port = Number(new URL(sandbox.url).port);
    const { engine, states } = await start();
    await sandbox.close();
    // Notices that the kept connection is dead
    await failure(engine.markRead([{ id: 'wamid.1', chat: BUDI }]));
    expect(await failure(send(engine))).toBeInstanceOf(EngineOffline);
    expect(states.at(-1)).toEqual(['reconnecting', 'Meta cannot be reached']);
    sandbox = await startGraphSandbox({ port });
    while (states.at(-1)?.[0] !== 'connected') await new Promise((resolve) => setTimeout(resolve, 5));
    await send(engine);
    expect(sandbox.wa.store.sent).toHaveLength(1);
  });

  it('that nobody stored as lost is still known not to have left', async () => {
    const { engine } = await start();
    await sandbox.close();
    await failure(engine.markRead([{ id: 'wamid.1', chat: BUDI }]));
    jest.spyOn(engine['link']['sink'] as EngineSink, 'state').mockRejectedValue(new Error('the store is away'));
    expect(await failure(send(engine))).toBeInstanceOf(EngineOffline);
    sandbox = await startGraphSandbox({ port: 0 });
  });

  it('is not uncertain when its file could not be uploaded', async () => {
    const { engine } = await start();
    sandbox.wa.addFault({ kind: '500', call: 'upload' });
    const picture: OutContent = { kind: 'image', media };
    expect(await failure(send(engine, BUDI, picture))).toBeInstanceOf(EngineBusy);
    expect(sandbox.wa.store.sent).toEqual([]);
  });

  it('reaches nobody without a number', async () => {
    const { engine } = await start();
    expect(await failure(send(engine, '9628110000001@lid'))).toMatchObject({ code: 'WA_NUMBER' });
  });
});

describe('a file that came with a message', () => {
  const arrive = () => {
    const base64 = PICTURE.toString('base64');
    sandbox.wa.customerSends({ from: '628120000001', file: { type: 'image', base64, mimetype: 'image/jpeg' } });
    return { key: sandbox.wa.store.lastFile?.id ?? '', mimetype: 'image/jpeg' };
  };
  const fetched = async (engine: CloudEngine) =>
    buffer(await engine.fetchMedia(arrive(), new AbortController().signal));

  it('is fetched byte by byte', async () => {
    const { engine } = await start();
    expect(await fetched(engine)).toEqual(PICTURE);
  });

  it('fails when it is not what Meta named', async () => {
    const { engine } = await start();
    sandbox.wa.addFault({ kind: 'corrupt', call: 'download' });
    await expect(fetched(engine)).rejects.toThrow('the hash of the file is not the one that Meta named');
  });

  it('is not fetched from a host that is not listed: nobody else sees the token', async () => {
    const asked: unknown[] = [];
    const stranger = createServer((request, response) => {
      asked.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { engine } = await start();
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/file`;
    sandbox.wa.addFault({ kind: 'foreign_url', call: 'lookup', url });
    await expect(fetched(engine)).rejects.toThrow('not in WA_CLOUD_MEDIA_HOSTS');
    expect(asked).toEqual([]);
    await new Promise((resolve) => stranger.close(resolve));
  });
});

describe('around the messages', () => {
  it('marks as read, and shows typing as the answer to the last message', async () => {
    const { engine } = await start();
    const [first, last] = ['satu', 'dua'].map((words) =>
      sandbox.wa.customerSends({ from: '628120000001', text: words }),
    );
    await engine.markRead([{ id: first ?? '', chat: BUDI }]);
    await engine.typing(BUDI, true);
    await engine.typing(BUDI, false);
    await engine.typing(SITI, true);
    expect(sandbox.wa.store.readByBusiness).toEqual([
      { id: first, typing: false },
      { id: last, typing: true },
    ]);
  });

  it('says why it cannot do the rest', async () => {
    const { engine } = await start();
    const missing = Object.entries(engine.capabilities).filter(([, able]) => able !== true);
    expect(missing).toEqual([
      ['poll', { reason: 'the Cloud API has no polls' }],
      ['mentions', { reason: 'the Cloud API has no mentions' }],
      ['qr', { reason: 'a number of the Cloud API is linked by its token' }],
      ['pairing_code', { reason: 'a number of the Cloud API is linked by its token' }],
      ['groups', { reason: 'groups of the Cloud API are not built' }],
      ['exists', { reason: 'the Cloud API has no such call' }],
      ['profile_pic', { reason: 'the Cloud API shows no pictures' }],
      ['edit_in', { reason: 'the Cloud API reports no edits' }],
    ]);
    for (const call of ['exists', 'profilePicture', 'groupCreate', 'groupInfo', 'groupParticipants'] as const)
      expect(await failure(engine[call]())).toBeInstanceOf(EngineUnsupported);
  });
});
