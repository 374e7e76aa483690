import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { documentTypeOf, fitsUse, mediaTypeOf } from './media-type';
import { safeDownload } from './safe-download';
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
  ])('a file is recognised as %s by its first bytes', (mimetype, head) =>
    expect(mediaTypeOf(head).mimetype).toBe(mimetype),
  );

  it('the type of an office document follows from its name, if the content agrees', () => {
    const zip = mediaTypeOf(Buffer.from('PK\x03\x04'));
    expect(documentTypeOf(zip, 'harga.xlsx')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(documentTypeOf(mediaTypeOf(Buffer.from('MZ')), 'harga.xlsx')).toBe('application/x-msdownload');
  });

  it.each([
    ['image', 'image/png', true],
    ['image', 'image/svg+xml', false],
    ['image', 'application/x-msdownload', false],
    ['sticker', 'image/webp', true],
    ['video', 'audio/ogg', false],
    ['voice', 'video/webm', true],
    ['document', 'application/zip', true],
  ] as const)('fits %s as %s: %s', (use, mimetype, fits) => expect(fitsUse(use, mimetype)).toBe(fits));
});

describe('a download', () => {
  let server: Server;
  let host: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
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

  it('keeps the bytes, also behind a redirect', async () => {
    expect(await fetched('/file')).toBe('the bytes');
    expect(await fetched('/moved')).toBe('the bytes');
  });

  it.each([
    ['a redirect to a metadata address', '/away', {}, 'the address is not allowed'],
    ['a private address that nobody allowed', '/file', { allow: [] }, 'the address is not allowed'],
    ['redirects without an end', '/round', {}, 'too many redirects'],
    ['a file beyond the limit', '/file', { maxBytes: 3 }, 'file too large'],
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
  ])('a stored file is served for the range %s', async (range, status, text, contentRange) => {
    const { sent, ...rest } = await answer(range ? { range } : {});
    expect({ ...rest, range: sent['Content-Range'] }).toEqual({ status, text, range: contentRange });
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

  it('a stored file that does not exist has no answer', async () =>
    expect(await storedFile(directory, { mimetype: 'x', headers: {}, cacheControl: '' })).toBeUndefined());
});
