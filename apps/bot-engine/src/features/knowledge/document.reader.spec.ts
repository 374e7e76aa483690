import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { useDatabase, useRunning } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import { jobQueue } from '../../jobs';
import { DocumentReader } from './document.reader';
import { GapRepository } from './gap.repository';
import { knowledgeRepository, type NewDocRow } from './knowledge.repository';
import { pdfOf, pdfThatSays } from './pdf.fixture';

const database = useDatabase(TABLES);
const docs = knowledgeRepository(database);
const gaps = new GapRepository(database);

const MB = 1024 * 1024;
/** A web server on this machine, which only these tests may ask. */
const web = useRunning(async () => {
  const pages: Record<string, [number, string | Buffer, Record<string, string>?]> = {
    '/retur': [200, '<html><body><h1>Retur</h1><p>Batas 7 hari.</p></body></html>'],
    '/plain': [200, 'Buka setiap hari.'],
    '/retur.pdf': [200, pdfThatSays('Garansi 12 bulan.')],
    '/program': [200, Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)])],
    '/large': [200, Buffer.alloc(2 * MB + 1, 'a')],
    '/moved': [302, '', { location: 'http://127.0.0.1:1/secret' }],
    '/broken': [500, 'no'],
  };
  const server = createServer(({ url = '' }, response) => {
    const [status, body, headers] = pages[url] ?? [404, ''];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, stop: () => new Promise<void>((done) => server.close(() => done())) };
});

const raised: string[] = [];
const agents = { get: async () => ({ version: 1 }), raise: async (_: string, id: string) => void raised.push(id) };
const readerOf = (embeds = false): DocumentReader =>
  new DocumentReader(
    { database, docs, gaps, agents, queue: jobQueue(), logger: silentLogger },
    { embeds, allow: [web.host] },
  );

let made = 0;
const posted = async (more: Partial<NewDocRow>): Promise<{ storeId: string; id: string; agentId: string }> => {
  const n = ++made;
  const row = {
    storeId: 'S1',
    id: `doc-${n}`,
    agentId: `A${n}`,
    kind: 'policy',
    title: 'Retur',
    digest: `${n}`,
  } as const;
  const source = { source: 'text', sourceRef: null, text: null, content: null, gapId: null } as const;
  await docs.insert({ ...row, ...source, ...more });
  return row;
};
const attempt = (n = 1) => ({ attempt: n, signal: new AbortController().signal });
const read = async (more: Partial<NewDocRow>) => {
  const row = await posted(more);
  await readerOf().read(row, attempt(3));
  const doc = await docs.find(row.storeId, row.id);
  return { status: doc?.status, error: doc?.error, text: doc?.text };
};
const at = (path: string) => read({ source: 'url', sourceRef: `${web.url}${path}` });
const failed = (error: string) => ({ status: 'failed', error, text: null });
const ready = (text: string) => ({ status: 'ready', error: null, text });

const chunksOf = (id: string) =>
  database.query('SELECT id, n, title, body FROM bot_knowledge_chunks WHERE store_id = $1 AND doc_id = $2', ['S1', id]);

describe('a document', () => {
  it('is ready when its text was read, and found by its chunks', async () => {
    const row = await posted({ text: 'Batas retur 7 hari.' });
    await readerOf().read(row, attempt());
    expect(await chunksOf(row.id)).toEqual([{ id: `${row.id}:1`, n: 1, title: 'Retur', body: 'Batas retur 7 hari.' }]);
    expect(await docs.find('S1', row.id)).toMatchObject({ status: 'ready', error: null });
    expect(raised).toContain(row.agentId);
  });

  it('that is a PDF is ready, and its bytes are gone', async () => {
    const row = await posted({ source: 'file', content: pdfThatSays('Garansi 12 bulan.') });
    await readerOf().read(row, attempt());
    expect(await docs.find('S1', row.id)).toMatchObject(ready('Garansi 12 bulan.'));
    expect(await docs.content('S1', row.id)).toBeUndefined();
  });

  it.each([
    ['a scan', pdfOf(Buffer.from('0 0 100 100 re f'))],
    ['broken', Buffer.from('%PDF-1.4 broken')],
  ])('whose PDF is %s has no text', async (_, content) => {
    expect(await read({ source: 'file', content })).toEqual(failed('no_text'));
  });

  it('whose PDF would eat the process is too large', async () => {
    const content = pdfOf(Buffer.alloc(400 * MB, 32), { packed: true });
    expect(await read({ source: 'file', content })).toEqual(failed('too_large'));
  });

  it('with more than 2,000 chunks is too large, also together with the others of the agent', async () => {
    const text = Array.from({ length: 2_001 }, (_, n) => `Butir ${n}. ${'a'.repeat(500)}.`).join('\n\n');
    expect(await read({ text })).toEqual(failed('too_large'));
    const many = await posted({ text: text.slice(0, text.indexOf('Butir 1500')).trim() });
    await readerOf().read(many, attempt());
    expect(await docs.find('S1', many.id)).toMatchObject({ status: 'ready' });
    expect(await read({ agentId: many.agentId, text: text.slice(text.indexOf('Butir 1400')) })).toEqual(
      failed('too_large'),
    );
  });

  it('that two processes read at once is there once', async () => {
    const row = await posted({ text: 'Sekali saja.' });
    await Promise.all([readerOf(), readerOf()].map((reader) => reader.read(row, attempt())));
    expect(await chunksOf(row.id)).toHaveLength(1);
    expect(raised.filter((id) => id === row.agentId)).toHaveLength(1);
  });

  it('that is deleted while it is read does not come back', async () => {
    const row = await posted({ source: 'file', content: pdfThatSays('x') });
    const reading = readerOf().read(row, attempt());
    await docs.remove('S1', row.id);
    await reading;
    expect([await docs.find('S1', row.id), await chunksOf(row.id)]).toEqual([undefined, []]);
  });

  it('closes the gap that it was written for when it is ready', async () => {
    await gaps.count('S1', 'G', 'ada garansi?', 'run-1');
    const { rows } = await gaps.list('S1', { agentId: 'G', limit: 10 });
    const gapId = rows[0]?.id ?? '';
    await readerOf().read(await posted({ agentId: 'G', text: 'Garansi 12 bulan.', gapId }), attempt());
    expect((await gaps.list('S1', { agentId: 'G', limit: 10 })).rows).toMatchObject([
      { id: gapId, status: 'answered' },
    ]);
  });

  it('is embedded afterwards where there is a model for it', async () => {
    const row = await posted({ text: 'Batas retur 7 hari.' });
    await readerOf(true).read(row, attempt());
    const jobs = await database.query('SELECT payload FROM bot_engine_jobs._private_jobs WHERE key = $1', [
      `embed S1 ${row.agentId}`,
    ]);
    expect(jobs).toEqual([{ payload: { storeId: 'S1', agentId: row.agentId } }]);
  });
});

describe('a page', () => {
  it.each([
    ['/retur', ready('Retur\n\nBatas 7 hari.')],
    ['/plain', ready('Buka setiap hari.')],
    ['/retur.pdf', ready('Garansi 12 bulan.')],
    ['/program', failed('no_text')],
    ['/large', failed('too_large')],
    ['/moved', failed('unreachable')],
    ['/broken', failed('unreachable')],
    ['/none', failed('unreachable')],
  ])('at %s is %j', async (path, outcome) => expect(await at(path)).toEqual(outcome));

  it.each([
    'https://127.0.0.1/secret',
    'https://10.0.0.8/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f000001/',
    'https://[::ffff:10.0.0.8]/',
    'https://[2002:a00:8::]/',
    'https://[64:ff9b::a00:8]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'http://example.com/',
    'file:///etc/passwd',
    'https://user:pw@example.com/',
    'not a url',
  ])('at %s is unreachable, and not asked for', async (sourceRef) =>
    expect(await read({ source: 'url', sourceRef })).toEqual(failed('unreachable')),
  );

  it('of a host that is away is asked for three times', async () => {
    const row = await posted({ source: 'url', sourceRef: `${web.url}/broken` });
    for (const n of [1, 2]) await expect(readerOf().read(row, attempt(n))).rejects.toThrow('the host answered 500');
    expect(await docs.find('S1', row.id)).toMatchObject({ status: 'processing' });
    await readerOf().read(row, attempt(3));
    expect(await docs.find('S1', row.id)).toMatchObject(failed('unreachable'));
  });
});
