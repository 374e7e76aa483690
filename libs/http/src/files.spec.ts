import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { documentTypeOf, fitsUse, mediaTypeOf, mediaTypeOfFile } from './media-type';
import { safeAddress } from './safe-address';
import { DownloadFailed, safeDownload } from './safe-download';
import { storedFile } from './stored-file';

const directory = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the type of a file', () => {
  it.each([
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['audio/wav', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
    ['video/mp4', Buffer.from('\0\0\0\x18ftypmp42')],
    ['audio/mp4', Buffer.from('\0\0\0\x18ftypM4A ')],
    ['audio/ogg', Buffer.from('OggS\0')],
    ['application/pdf', Buffer.from('%PDF-1.7')],
    ['application/x-msdownload', Buffer.from('MZ\x90')],
    ['image/svg+xml', Buffer.from('\uFEFF<?xml version="1.0"?>\n<svg xmlns="x">')],
    ['text/html', Buffer.from('  <!DOCTYPE html><p>')],
    ['text/plain', Buffer.from('selamat pagi é')],
    ['application/octet-stream', Buffer.from([0, 1, 2, 3])],
    ['application/octet-stream', Buffer.alloc(0)],
    ['application/octet-stream', Buffer.from('text\0')],
    ['application/octet-stream', Buffer.from([0x74, 0xe9, 0x74])],
    ['text/plain', Buffer.from('selamat pagi é').subarray(0, -1)],
    ['text/plain', Buffer.from(`${'x'.repeat(600)}\0`)],
    ['text/xml', Buffer.from('\uFEFF<?xml version="1.0"?><a/>')],
    ['text/plain', Buffer.from('see <svg')],
  ])('a file is recognised as %s by its first bytes', (mimetype, head) =>
    expect(mediaTypeOf(head).mimetype).toBe(mimetype),
  );

  it('the type of an office document follows from its name, if the content agrees', () => {
    const zip = mediaTypeOf(Buffer.from('PK\x03\x04'));
    expect(documentTypeOf(zip, 'harga.xlsx')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(documentTypeOf(mediaTypeOf(Buffer.from('MZ')), 'harga.xlsx')).toBe('application/x-msdownload');
  });

  it.each([
    ['application/x-ole-storage', 'surat.DOC', 'application/msword'],
    ['text/plain', 'a.b.csv', 'text/csv'],
    ['text/plain', 'csv', 'text/plain'],
    ['text/plain', 'csv.', 'text/plain'],
    ['text/plain', 'a.csv.txt', 'text/plain'],
    ['text/plain', undefined, 'text/plain'],
    ['image/png', 'a.csv', 'image/png'],
  ])('a document of type %s called %s is %s', (mimetype, filename, type) =>
    expect(documentTypeOf({ mimetype, extension: 'x' }, filename)).toBe(type),
  );

  it('the type of a stored file is that of its first bytes', async () => {
    const [pdf, text] = ['typed.pdf', 'typed.txt'].map((name) => join(directory, name)) as [string, string];
    writeFileSync(pdf, `%PDF-1.7${'x'.repeat(5_000)}`);
    writeFileSync(text, 'a');
    expect([await mediaTypeOfFile(pdf), await mediaTypeOfFile(text)]).toEqual([
      { mimetype: 'application/pdf', extension: 'pdf' },
      { mimetype: 'text/plain', extension: 'txt' },
    ]);
  });

  it.each([
    ['image', 'image/png', true],
    ['image', 'image/svg+xml', false],
    ['image', 'application/x-msdownload', false],
    ['sticker', 'image/webp', true],
    ['video', 'audio/ogg', false],
    ['voice', 'video/webm', true],
    ['document', 'application/zip', true],
    ['image', 'text/image/png', false],
    ['sticker', 'image/png', false],
    ['video', 'video/mp4', true],
    ['audio', 'audio/ogg', true],
    ['audio', 'image/png', false],
    ['voice', 'video/quicktime', false],
  ] as const)('fits %s as %s: %s', (use, mimetype, fits) => expect(fitsUse(use, mimetype)).toBe(fits));
});

describe('a download from outside', () => {
  let server: Server;
  let host: string;
  let askedAs: string | undefined;
  beforeAll(async () => {
    server = createServer((request, response) => {
      askedAs = request.headers.host;
      const hops = Number(/^\/hops\/(\d)$/.exec(request.url ?? '')?.[1]);
      if (hops > 0) response.writeHead(302, { location: `/hops/${hops - 1}` }).end();
      else if (request.url === '/nowhere') response.writeHead(302).end('the bytes');
      else if (request.url === '/pieces') response.write('the ', () => response.end('bytes'));
      else if (request.url === '/breaks') response.write('the ', () => response.destroy());
      else if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url === '/moved') response.writeHead(301, { location: '/file' }).end();
      else if (request.url === '/gone') response.writeHead(404).end();
      else if (request.url === '/hangs') response.writeHead(200).write('x');
      else response.end('the bytes');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  let files = 0;
  const fetched = async (path: string, more: object = {}) => {
    const target = join(directory, `d${files++}`);
    const options = { allow: [host], maxBytes: 100, timeoutMs: 5_000, ...more };
    const failure = await safeDownload(`http://${host}${path}`, target, options).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    return failure ? { failure: failure.message, left: existsSync(target) } : readFileSync(target, 'utf8');
  };

  it('stores the bytes, also after a redirect', async () => {
    expect(await fetched('/file')).toBe('the bytes');
    expect(await fetched('/moved')).toBe('the bytes');
  });

  it('follows three redirects, or as many as configured', async () => {
    const most = (maxRedirects: number) => ({ maxRedirects });
    expect([await fetched('/hops/3'), await fetched('/hops/4', most(4)), await fetched('/file', most(0))]).toEqual([
      'the bytes',
      'the bytes',
      'the bytes',
    ]);
  });

  it('accepts a file of exactly the limit, with and without Content-Length', async () =>
    expect([await fetched('/file', { maxBytes: 9 }), await fetched('/pieces', { maxBytes: 9 })]).toEqual([
      'the bytes',
      'the bytes',
    ]));

  it('connects to the address that was checked, under the requested host name', async () => {
    const named = host.replace('127.0.0.1', 'files.example');
    const target = join(directory, 'pinned');
    const namesOf = () => Promise.resolve(['127.0.0.1']);
    await safeDownload(`http://${named}/file`, target, { allow: [named], maxBytes: 100, timeoutMs: 5_000, namesOf });
    expect([readFileSync(target, 'utf8'), askedAs]).toEqual(['the bytes', named]);
  });

  it('does not follow a name that leads into a private network when it is asked again', async () => {
    const told = [['8.8.8.8'], ['127.0.0.1']];
    const named = host.replace('127.0.0.1', 'rebound.example');
    const namesOf = () => Promise.resolve(told.shift() ?? []);
    expect((await safeAddress(`https://${named}/file`, { namesOf })).address).toBe('8.8.8.8');
    const target = join(directory, 'rebound');
    const later = safeDownload(`https://${named}/file`, target, { namesOf, maxBytes: 100, timeoutMs: 5_000 });
    await expect(later).rejects.toMatchObject({ kind: 'rejected', code: 'url_not_allowed' });
    expect(existsSync(target)).toBe(false);
  });

  it('waits no longer for a name than for all the rest', async () => {
    const namesOf = () => new Promise<never>(() => undefined);
    const target = join(directory, 'nameless');
    const never = safeDownload('https://slow.example/', target, { namesOf, maxBytes: 100, timeoutMs: 50 });
    await expect(never).rejects.toMatchObject({ message: 'the download took too long' });
  });

  it('carries the cause of a network failure', async () => {
    const options = { allow: ['127.0.0.1:1'], maxBytes: 100, timeoutMs: 5_000 };
    const failure = await safeDownload('http://127.0.0.1:1/', join(directory, 'none'), options).catch(
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(DownloadFailed);
    expect(failure).toMatchObject({ message: 'the host cannot be reached', cause: { code: 'ECONNREFUSED' } });
  });

  it.each([
    ['a redirect to a metadata address', '/away', {}, 'the address is not allowed'],
    ['a private address that nobody allowed', '/file', { allow: [] }, 'the address is not allowed'],
    ['redirects without an end', '/round', {}, 'too many redirects'],
    ['more redirects than three', '/hops/4', {}, 'too many redirects'],
    ['any redirect when it is told to', '/moved', { maxRedirects: 0 }, 'too many redirects'],
    ['a redirect that leads nowhere', '/nowhere', {}, 'the host answered 302'],
    ['a file beyond the limit', '/file', { maxBytes: 8 }, 'file too large'],
    ['a file beyond the limit that tells no length', '/pieces', { maxBytes: 8 }, 'file too large'],
    ['a file that breaks off', '/breaks', {}, 'the host cannot be reached'],
    ['another status', '/gone', {}, 'the host answered 404'],
    ['a host that never ends', '/hangs', { timeoutMs: 100 }, 'the download took too long'],
  ])('a download refuses %s and leaves nothing behind', async (_, path, more, failure) =>
    expect(await fetched(path, more)).toEqual({ failure, left: false }),
  );
});

describe('a stored file', () => {
  const path = join(directory, 'stored');
  beforeAll(() => writeFileSync(path, '0123456789'));
  const answer = async (headers: Record<string, string>, mimetype = 'image/png') => {
    const reply = await storedFile(path, { mimetype, headers, cacheControl: 'private' });
    const { bytes, headers: sent } = reply!.value;
    return { status: reply!.options.status ?? 200, text: (await buffer(bytes as Readable)).toString(), sent };
  };

  it.each([
    [undefined, 200, '0123456789', undefined],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['bytes=', 200, '0123456789', undefined],
    ['bytes=2-4x', 200, '0123456789', undefined],
    ['xbytes=2-4', 200, '0123456789', undefined],
    ['bytes=0000000000000002-', 200, '0123456789', undefined],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    ['bytes=10-10', 416, '', 'bytes */10'],
    ['bytes=4-3', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=-500', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=00-0000000000010', 206, '0123456789', 'bytes 0-9/10'],
  ])('a stored file is served for the range %s', async (range, status, text, contentRange) => {
    const { sent, ...rest } = await answer(range ? { range } : {});
    expect({ ...rest, range: sent['Content-Range'] }).toEqual({ status, text, range: contentRange });
  });

  it('a stored file is sent with all headers for browsers and caches', async () => {
    const etag = `"a-${Math.floor(statSync(path).mtimeMs).toString(16)}"`;
    const always = {
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private',
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    };
    const sent = async (headers: Record<string, string>) => (await answer(headers)).sent;
    expect([
      await sent({}),
      await sent({ range: 'bytes=2-4' }),
      await sent({ range: 'bytes=99-' }),
      await sent({ 'if-none-match': etag, range: 'bytes=2-4' }),
    ]).toStrictEqual([
      { ...always, 'Content-Length': '10' },
      { ...always, 'Content-Length': '3', 'Content-Range': 'bytes 2-4/10' },
      { ...always, 'Content-Range': 'bytes */10' },
      always,
    ]);
    const reply = await storedFile(path, { mimetype: 'audio/ogg', headers: {}, cacheControl: '' });
    expect(reply?.value.mimetype).toBe('audio/ogg');
  });

  it.each([
    [{}, 200, '0'],
    [{ range: 'bytes=0-' }, 416, undefined],
    [{ range: 'bytes=-1' }, 416, undefined],
  ])('a stored file may be empty: %j', async (headers, status, length) => {
    const empty = join(directory, 'empty');
    writeFileSync(empty, '');
    const reply = await storedFile(empty, { mimetype: 'image/png', headers, cacheControl: '' });
    const text = (await buffer(reply?.value.bytes as Readable)).toString();
    expect([reply?.options.status ?? 200, text, reply?.value.headers['Content-Length']]).toEqual([status, '', length]);
  });

  it('a stored file is not sent again to a client that has it', async () => {
    const { sent } = await answer({});
    expect(await answer({ 'if-none-match': String(sent.ETag) })).toMatchObject({ status: 304, text: '' });
  });

  it('a stored file is shown inline only when it cannot run in a browser', async () => {
    const disposition = async (type: string) => (await answer({}, type)).sent['Content-Disposition'];
    expect(await disposition('application/pdf')).toBe('inline');
    expect(await disposition('text/html')).toBe('attachment');
    expect(await disposition('image/svg+xml')).toBe('attachment');
  });

  it.each([
    ['buku satu.pdf', `attachment; filename="buku satu.pdf"; filename*=UTF-8''buku%20satu.pdf`],
    ['a"b\\c;d.pdf', `attachment; filename="a_b_c_d.pdf"; filename*=UTF-8''a%22b%5Cc%3Bd.pdf`],
    ["it's (1)*.pdf", `attachment; filename="it_s _1__.pdf"; filename*=UTF-8''it%27s%20%281%29%2a.pdf`],
    ['書 ✓\r\n.pdf', `attachment; filename="_ ___.pdf"; filename*=UTF-8''%E6%9B%B8%20%E2%9C%93%0D%0A.pdf`],
    ['half \uD800.pdf', `attachment; filename="half _.pdf"; filename*=UTF-8''half%20%EF%BF%BD.pdf`],
  ])('a stored file that is to be kept as %j is attached under that name', async (filename, disposition) => {
    const path = join(directory, 'named.pdf');
    writeFileSync(path, '%PDF-1.7');
    const options = { mimetype: 'application/pdf', headers: {}, cacheControl: 'no-store', filename };
    const { value } = (await storedFile(path, options)) ?? {};
    expect(value?.headers['Content-Disposition']).toBe(disposition);
  });

  it('a stored file that does not exist has no answer', async () =>
    expect(
      await Promise.all(
        [directory, join(directory, 'missing')].map((no) =>
          storedFile(no, { mimetype: 'x', headers: {}, cacheControl: '' }),
        ),
      ),
    ).toStrictEqual([undefined, undefined]));
});
