import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@platform/runtime';
import { startHttpServer, startLlmSandbox, until, useForEach, useRunning } from '@platform/testing';
import type { Agent } from '../agents/public';
import { transcriber } from '../model/speech.client';
import type { Transcribe } from '../model/public';
import { FileHearing } from './hearing.service';
import type { Heard } from './hearing.types';
import { OwnFiles } from './own.file';
import { ownMedia } from './own.media';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('a picture')]);
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('another')]);
const voice = (text: string) => Buffer.from(`OggS\u0000\u0001SANDBOX-SPEECH: ${text}\u0000${'x'.repeat(100)}`);
const MB = 1024 * 1024;
const FILES: Record<string, Buffer> = {
  'a.jpg': JPEG,
  'b.png': PNG,
  'large.jpg': Buffer.concat([JPEG, Buffer.alloc(5 * MB)]),
  'heavy.jpg': Buffer.concat([JPEG, Buffer.alloc(4 * MB)]),
  'exe.jpg': Buffer.from('MZ a program'),
  'page.jpg': Buffer.from('<html><body>no</body></html>'),
  'film.gif': Buffer.from('GIF89a'),
  'v.ogg': voice('ada sepatu hitam?'),
  'silent.ogg': voice('Terima kasih telah menonton'),
  'odd.ogg': voice('satu\u202edua'),
  'exe.ogg': Buffer.from('MZ a program'),
  'large.ogg': Buffer.concat([voice('besar'), Buffer.alloc(16 * MB)]),
};

const underWay = { now: 0, most: 0 };
const chat = useRunning(() =>
  startHttpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://chat');
    if (pathname === '/media/away') return void response.writeHead(302, { location: `${other.url}/a.jpg` }).end();
    if (pathname === '/media/hang') return;
    if (pathname === '/media/slow') {
      underWay.most = Math.max(underWay.most, (underWay.now += 1));
      setTimeout(() => ((underWay.now -= 1), response.end(JPEG)), 100);
      return;
    }
    const file = FILES[pathname.replace(/^\/(media|internal)\//, '')];
    if (!file) return void response.writeHead(404).end();
    response.end(file);
  }),
);
const asked: string[] = [];
const other = useRunning(() =>
  startHttpServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JPEG);
  }),
);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const place = useForEach(() => {
  const directory = mkdtempSync(join(tmpdir(), 'hearing-spec-'));
  return { directory, stop: async () => rmSync(directory, { recursive: true, force: true }) };
});
const log: string[] = [];
const logger = createLogger({ service: 'bot-engine', write: (line) => log.push(line) });
beforeEach(() => (log.length = 0));

const agent = { storeId: 'S1', vision: true } as Agent;
const { signal } = new AbortController();
const prices = { current: () => Promise.resolve(new Map()) };
const writtenDown = (): Transcribe =>
  transcriber({ baseUrl: `${llm.url}/v1`, apiKey: 'key', refuseSandbox: false }, 'sandbox-rules-small', prices);
interface HearingOptions {
  readonly transcribe?: Transcribe;
  readonly limitMs?: number;
  readonly deaf?: boolean;
}

const hearing = ({ transcribe, limitMs = 10_000, deaf = false }: HearingOptions = {}) => {
  const allow = ownMedia({ CHAT_URL: chat.url, MEDIA_URL_ALLOW: [] });
  const files = new OwnFiles({ directory: place.directory, allow });
  return new FileHearing({ files, transcribe: deaf ? undefined : (transcribe ?? writtenDown()), logger, limitMs });
};
const at = (name: string) => `${chat.url}/media/${name}?exp=1&sig=x`;
const heard = (content: string, { images = [], audio = [] }: { images?: string[]; audio?: string[] } = {}): Heard => ({
  content,
  images: images.map((name) => (name.startsWith('http') ? name : at(name))),
  audio: audio.map((name) => (name.startsWith('http') ? name : at(name))),
});
const releases: (() => void)[] = [];
const held = (release: () => void) => void releases.push(release);
const linesOf = async (messages: Heard[], by = hearing(), who = agent) =>
  (await by.understand(messages, { agent: who, signal, held })).lines;
const jpeg = { mediaType: 'image/jpeg', base64: JPEG.toString('base64') };

describe('what a customer sends', () => {
  it('is understood in its order: pictures for this turn, speech for good', async () => {
    const { lines, attempts } = await hearing().understand(
      [
        heard('kak'),
        heard('[gambar]', { images: ['a.jpg'] }),
        heard('ini berapa?', { images: ['b.png', 'a.jpg'] }),
        heard('[audio]', { audio: ['v.ogg'] }),
      ],
      { agent, signal, held },
    );
    const png = { mediaType: 'image/png', base64: PNG.toString('base64') };
    expect(lines).toEqual([
      { content: 'kak' },
      { content: '[gambar]', said: '', pictures: [jpeg] },
      { content: '[gambar] [gambar] ini berapa?', said: 'ini berapa?', pictures: [png, jpeg] },
      { content: '[suara] ada sepatu hitam?' },
    ]);
    expect(attempts).toEqual([expect.objectContaining({ model: 'sandbox-rules-small', status: 'ok' })]);
    expect(readdirSync(place.directory)).toEqual([]);
  });

  it('and is not asked for costs nothing: no pictures without vision, no speech without a model', async () => {
    const messages = [heard('[gambar]', { images: ['a.jpg'] }), heard('', { audio: ['v.ogg'] })];
    const deaf = hearing({ deaf: true });
    const { lines, attempts } = await deaf.understand(messages, { agent: { ...agent, vision: false }, signal, held });
    expect([lines, attempts]).toEqual([[{ content: '[gambar]' }, { content: '[audio]' }], []]);
  });

  it('keeps its words beside what nobody understands, and half of two pictures', async () => {
    expect(
      await linesOf([
        heard('yang ini', { images: ['gone.jpg', 'a.jpg'] }),
        heard('dengar ya', { audio: ['gone.ogg'] }),
      ]),
    ).toEqual([
      { content: '[gambar] [gambar] yang ini', said: '[gambar] yang ini', pictures: [jpeg] },
      { content: 'dengar ya\n[audio]' },
    ]);
  });
});

describe('stays a label:', () => {
  it.each([
    ['a renamed program', 'exe.jpg'],
    ['a page', 'page.jpg'],
    ['a moving picture', 'film.gif'],
    ['more than 5 MB', 'large.jpg'],
    ['what is not there', 'gone.jpg'],
    ['what leads elsewhere', 'away'],
  ])('a picture that is %s', async (_, name) => {
    expect(await linesOf([heard('[gambar]', { images: [name] })])).toEqual([{ content: '[gambar]' }]);
    expect(readdirSync(place.directory)).toEqual([]);
  });

  it.each([
    ['a renamed program', 'exe.ogg'],
    ['17 MB', 'large.ogg'],
    ['silence', 'silent.ogg'],
  ])('a recording that is %s', async (_, name) => {
    expect(await linesOf([heard('[audio]', { audio: [name] })])).toEqual([{ content: '[audio]' }]);
    expect(readdirSync(place.directory)).toEqual([]);
  });

  it('a picture of another host, of another path of ours, and of a private address, none of which is asked', async () => {
    const elsewhere = [
      `${other.url}/media/a.jpg`,
      `${chat.url}/internal/a.jpg`,
      `${chat.url}/media/%2e%2e%2finternal/a.jpg`,
      'http://169.254.169.254/latest/meta-data',
      'https://8.8.8.8/a.jpg',
      'file:///etc/passwd',
    ];
    for (const url of elsewhere)
      expect(await linesOf([heard('', { images: [url] })])).toEqual([{ content: '[gambar]' }]);
    expect(asked).toEqual([]);
  });

  it('what hangs, the host or the one who writes down, and the turn goes on with the rest', async () => {
    const hangs: Transcribe = () => new Promise(() => undefined);
    const messages = [
      heard('', { images: ['hang'] }),
      heard('', { audio: ['v.ogg'] }),
      heard('', { images: ['a.jpg'] }),
    ];
    expect(await linesOf(messages, hearing({ transcribe: hangs, limitMs: 500 }))).toEqual([
      { content: '[gambar]' },
      { content: '[audio]' },
      { content: '[gambar]', said: '', pictures: [jpeg] },
    ]);
    await until(() => readdirSync(place.directory).length === 0);
  });

  it('what the turn no longer waits for', async () => {
    const stop = new AbortController();
    const asking = hearing().understand([heard('', { images: ['hang'] })], { agent, signal: stop.signal, held });
    stop.abort();
    expect((await asking).lines).toEqual([{ content: '[gambar]' }]);
  });

  it('all but the newest four pictures of a burst', async () => {
    const burst = Array.from({ length: 6 }, (_, n) => heard('', { images: [`${at('a.jpg')}&n=${n}`] }));
    const pictures = (await linesOf(burst)).map(({ pictures: got = [] }) => got.length);
    expect(pictures).toEqual([0, 0, 1, 1, 1, 1]);
  });
});

it('files of a turn that may spend nothing are neither fetched nor written down: their labels stand', async () => {
  const lines = [heard('', { audio: ['v.ogg'] }), heard('ini', { images: ['a.jpg'] })];
  const around = { agent, signal: AbortSignal.abort(), held };
  expect(await hearing().understand(lines, around)).toEqual({
    lines: [{ content: '[audio]' }, { content: '[gambar] ini' }],
    attempts: [],
  });
});

it('files of one store have their share of places, and another store is not kept waiting by them', async () => {
  underWay.most = 0;
  const by = hearing();
  const turn = (storeId: string, n: number) =>
    linesOf([heard('', { images: [`${at('slow')}&n=${n}`] })], by, { ...agent, storeId });
  await Promise.all(Array.from({ length: 12 }, (_, n) => turn('S1', n)));
  expect(underWay.most).toBe(3);
  const hang = (n: number) => linesOf([heard('', { images: [`${at('hang')}&n=${n}`] })], quick);
  const quick = hearing({ limitMs: 1_000 });
  const stuck = Promise.all(Array.from({ length: 12 }, (_, n) => hang(n)));
  const [line] = await linesOf([heard('', { images: ['a.jpg'] })], quick, { ...agent, storeId: 'S2' });
  expect(line?.pictures).toEqual([jpeg]);
  await stuck;
});

it('pictures of one store take their share of the memory until its turns are over, and another store finds room', async () => {
  const by = hearing();
  const turn = async (storeId: string, n: number) => {
    const lines = await linesOf([heard('', { images: [`${at('heavy.jpg')}&n=${n}`] })], by, { ...agent, storeId });
    return lines.flatMap(({ pictures = [] }) => pictures).length;
  };
  releases.splice(0);
  const seen: number[] = [];
  for (const storeId of ['S1', 'S2', 'S3']) for (let n = 0; n < 6; n++) seen.push(await turn(storeId, n));
  expect(seen).toEqual([1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0]);
  expect(await turn('S4', 0)).toBe(1);
  for (const release of releases.splice(0)) release();
  expect(await turn('S1', 0)).toBe(1);
});

it('what a killed process left is removed at the next start, what is on its way is not', async () => {
  const [old, fresh] = ['old', 'fresh'].map((name) => join(place.directory, name)) as [string, string];
  for (const path of [old, fresh]) writeFileSync(path, 'x');
  utimesSync(old, 0, 0);
  await new OwnFiles({ directory: place.directory, allow: [] }).start();
  expect(readdirSync(place.directory)).toEqual(['fresh']);
});

it('the log names the store and the kind of trouble, never an address or what was said', async () => {
  await linesOf([heard('rahasia', { images: [`${other.url}/canary.jpg`] })]);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatch(/"storeId":"S1"/);
  expect(log[0]).not.toMatch(/canary|rahasia|127\.0\.0\.1/);
});

it.each([['chat.internal'], ['http://chat.internal'], ['http://chat.internal/media'], ['ftp://chat.internal/media/']])(
  'a list that is not one of prefixes refuses the start: %s',
  (each) => {
    expect(() => ownMedia({ CHAT_URL: undefined, MEDIA_URL_ALLOW: [each] })).toThrow(
      /MEDIA_URL_ALLOW must list prefixes/,
    );
  },
);
