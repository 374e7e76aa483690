import { uuidv7 } from '@platform/runtime';
import { caller, until } from '@platform/testing';
import { internalCalls, internalToken, serviceToken, tokenFor, useBot } from '../../app.fixture';
import { pdfOf, pdfThatSays } from './pdf.fixture';

const { bot, database } = useBot();
const s1 = () => internalCalls(bot, 'S1');
const s2 = () => internalCalls(bot, 'S2');

const MB = 1024 * 1024;
const at = expect.stringMatching(/^\d{4}-.*Z$/);
const newDoc = (more: object = {}) => ({
  ...{ id: uuidv7(), agent_id: 'A1', kind: 'policy', title: 'Retur' },
  ...more,
});
const view = ({ id, kind, title }: ReturnType<typeof newDoc>, more: object = {}) => ({
  ...{ id, agent_id: 'A1', kind, title, source: 'text', status: 'processing', error: null, updated_at: at },
  ...more,
});
const success = (status: number, data: unknown) => ({ status, body: { status: 'success', message: 'OK', data } });
const refusal = (status: number, code: string, message: string, more: object = {}) => ({
  status,
  body: { status: 'error', message, code, ...more },
});
const NO_DOC = refusal(404, 'not_found', 'document not found');
const NO_AGENT = refusal(404, 'not_found', 'agent not found');

const formOf = (doc: object, content: Buffer | string, name: string): FormData => {
  const form = new FormData();
  for (const [field, value] of Object.entries(doc)) form.append(field, String(value));
  form.append('file', new Blob([Uint8Array.from(Buffer.from(content))]), name);
  return form;
};

interface Told {
  readonly data: { readonly status: string; readonly error: string | null; readonly text: string | null };
}
const settled = async (id: string, calls = s1()): Promise<Told['data']> => {
  const look = async () => ((await calls('GET', `/knowledge/${id}`)).body as Told).data;
  return until(look, ({ status }) => status !== 'processing');
};
const versionOf = async (): Promise<number> => {
  const { body } = await s1()('GET', '/agents/A1');
  return (body as { data: { version: number } }).data.version;
};

describe('a document that is posted', () => {
  it('as text becomes ready, is listed, and is one of its agent, whose version it raises', async () => {
    const doc = newDoc({ text: 'Batas retur 7 hari.' });
    const before = await versionOf();
    expect(await s1()('POST', '/knowledge', doc)).toEqual(success(202, view(doc)));
    await settled(doc.id);
    const whole = view(doc, { status: 'ready' });
    expect(await s1()('GET', `/knowledge/${doc.id}`)).toEqual(success(200, { ...whole, text: 'Batas retur 7 hari.' }));
    expect(await s1()('GET', '/knowledge?agent_id=A1')).toMatchObject(success(200, expect.arrayContaining([whole])));
    expect(await s1()('GET', '/agents/A1')).toMatchObject({
      body: { data: { knowledge: expect.arrayContaining([whole]) } },
    });
    expect(await versionOf()).toBe(before + 1);
  });

  it.each<[string, () => Buffer | string, string]>([
    ['retur.txt', () => 'Batas retur 7 hari.', 'Batas retur 7 hari.'],
    ['retur.md', () => '# Retur\n\nBatas **7** hari.', '# Retur\n\nBatas **7** hari.'],
    ['readme.md', () => '<h1>Retur</h1>\n\n7 hari', '<h1>Retur</h1>\n\n7 hari'],
    ['retur.pdf', () => pdfThatSays('Batas retur 7 hari.'), 'Batas retur 7 hari.'],
    ['renamed.txt', () => pdfThatSays('Batas retur 7 hari.'), 'Batas retur 7 hari.'],
  ])('as %s becomes ready', async (name, content, text) => {
    const doc = newDoc();
    expect(await s1()('POST', '/knowledge', formOf(doc, content(), name))).toEqual(
      success(202, view(doc, { source: 'file' })),
    );
    expect(await settled(doc.id)).toMatchObject({ status: 'ready', error: null, text });
  });

  it('as a scan is failed for having no text', async () => {
    const doc = newDoc();
    await s1()('POST', '/knowledge', formOf(doc, pdfOf(Buffer.from('0 0 9 9 re f')), 'scan.pdf'));
    expect(await settled(doc.id)).toMatchObject({ status: 'failed', error: 'no_text', text: null });
  });

  it('as an address that leads nowhere is failed for being unreachable', async () => {
    const doc = newDoc({ url: 'https://laman.invalid/retur' });
    expect(await s1()('POST', '/knowledge', doc)).toEqual(success(202, view(doc, { source: 'url' })));
    expect(await settled(doc.id)).toMatchObject({ status: 'failed', error: 'unreachable' });
  });

  it('again is the same document; another body under its id is refused', async () => {
    const doc = newDoc({ text: 'Sama.' });
    const [one, other] = await Promise.all([s1()('POST', '/knowledge', doc), s1()('POST', '/knowledge', doc)]);
    expect([one.status, other.status]).toEqual([202, 202]);
    await settled(doc.id);
    expect(await s1()('POST', '/knowledge', doc)).toEqual(success(202, view(doc, { status: 'ready' })));
    const taken = refusal(409, 'id_taken', 'the id belongs to another document');
    for (const more of [{ text: 'Lain.' }, { title: 'Lain' }, { kind: 'faq' }])
      expect(await s1()('POST', '/knowledge', { ...doc, ...more })).toEqual(taken);
    expect(
      await database.query('SELECT FROM bot_knowledge_chunks WHERE store_id = $1 AND doc_id = $2', ['S1', doc.id]),
    ).toHaveLength(1);
  });

  it('as the same file again is the same document, as another file it is not', async () => {
    const doc = newDoc();
    const post = (text: string) => s1()('POST', '/knowledge', formOf(doc, text, 'a.txt'));
    expect((await post('satu')).status).toBe(202);
    expect((await post('satu')).status).toBe(202);
    expect((await post('dua')).status).toBe(409);
  });
});

describe('a document that cannot be', () => {
  const fields = (errors: Record<string, string[]>, message = Object.values(errors)[0]?.[0] ?? '') =>
    refusal(422, 'validation', message, { errors });
  const oneSource = fields({ text: ['exactly one of text, file and url is required'] });

  it.each<[string, object, object]>([
    ['without a source', {}, oneSource],
    ['with two sources', { text: 'a', url: 'https://example.com/' }, oneSource],
    ['with an unknown field', { text: 'a', price: 1 }, { status: 422 }],
    ['with a text of stray signs alone', { text: '\u0007\u0007' }, fields({ text: ['the document holds no text'] })],
    ['with a text of 50,001 characters', { text: 'a'.repeat(50_001) }, { status: 422 }],
    ['of another kind', { text: 'a', kind: 'price' }, { status: 422 }],
    ['without a title', { text: 'a', title: ' ' }, { status: 422 }],
    ['with an id that no path can name', { text: 'a', id: 'a/b' }, { status: 422 }],
    ['of an unknown agent', { text: 'a', agent_id: 'A9' }, NO_AGENT],
    ['for a gap that is not there', { text: 'a', gap_id: uuidv7() }, refusal(404, 'not_found', 'gap not found')],
  ])('%s is refused', async (_, more, expected) =>
    expect(await s1()('POST', '/knowledge', newDoc(more))).toMatchObject(expected),
  );

  it.each([
    ...['https://127.0.0.1/', 'https://127.1/', 'https://localhost/', 'https://[::1]/', 'https://0/'],
    ...['https://10.0.0.8/', 'https://172.20.0.1/', 'https://192.168.0.1/', 'https://[fd00::1]/'],
    ...['https://169.254.169.254/latest', 'https://[fd00:ec2::254]/', 'https://[fe80::1]/', 'https://100.100.100.200/'],
    ...[
      'https://[::ffff:10.0.0.8]/',
      'https://[::ffff:a00:8]/',
      'https://[2002:a00:8::]/',
      'https://[64:ff9b::a00:8]/',
    ],
    ...[
      'https://2130706433/',
      'https://2852039166/',
      'https://0177.0.0.1/',
      'https://0x7f000001/',
      'https://①②⑦.0.0.1/',
    ],
    ...['https://toko.internal/', 'https://toko/', 'https://files.example@127.0.0.1/', 'https://user:pw@example.com/'],
    ...['http://example.com/', 'file:///etc/passwd', 'not a url'],
  ])('as the page %s is refused, and not kept', async (url) => {
    const doc = newDoc({ url });
    const message = 'url must be an https address that everybody can reach, without a password';
    expect(await s1()('POST', '/knowledge', doc)).toEqual(fields({ url: [message] }));
    expect(await s1()('GET', `/knowledge/${doc.id}`)).toEqual(NO_DOC);
  });

  it.each<[string, string, () => Buffer | string, object]>([
    [
      'a program',
      'retur.pdf',
      () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]),
      { status: 415, body: { code: 'unsupported_media' } },
    ],
    ['a page', 'retur.txt', () => '<html><body>x</body></html>', { status: 415 }],
    [
      'no text behind its beginning',
      'a.txt',
      () => Buffer.concat([Buffer.alloc(600, 'a'), Buffer.from([0xff])]),
      { status: 415 },
    ],
    ['blank', 'a.txt', () => ' \n ', { status: 422 }],
    ['of more than 5 MB', 'a.txt', () => Buffer.alloc(5 * MB + 1, 'a'), { status: 413, body: { code: 'too_large' } }],
    ['of more than 2,000 chunks', 'a.txt', () => 'kata '.repeat(MB), { status: 422 }],
  ])('as a file that is %s is refused', async (_, name, content, expected) =>
    expect(await s1()('POST', '/knowledge', formOf(newDoc(), content(), name))).toMatchObject(expected),
  );

  it('is none of hostile characters: what can be stored of them is', async () => {
    const doc = newDoc({ text: 'a\0b \ud83dc \u202e\u0645\u0631\u062d\u0628\u0627 😀' });
    expect((await s1()('POST', '/knowledge', doc)).status).toBe(202);
    expect(await settled(doc.id)).toMatchObject({
      status: 'ready',
      text: 'ab \ufffdc \u0645\u0631\u062d\u0628\u0627 😀',
    });
  });
});

describe('a document that is deleted', () => {
  it('is gone with its chunks, and its id is free', async () => {
    const doc = newDoc({ text: 'Dihapus.' });
    await s1()('POST', '/knowledge', doc);
    await settled(doc.id);
    const before = await versionOf();
    expect(await s1()('DELETE', `/knowledge/${doc.id}`)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Document deleted', data: null },
    });
    expect(await versionOf()).toBe(before + 1);
    expect(await s1()('GET', `/knowledge/${doc.id}`)).toEqual(NO_DOC);
    expect(await s1()('DELETE', `/knowledge/${doc.id}`)).toEqual(NO_DOC);
    expect(await database.query('SELECT FROM bot_knowledge_chunks WHERE doc_id = $1', [doc.id])).toEqual([]);
    expect((await s1()('POST', '/knowledge', { ...doc, text: 'Lain.' })).status).toBe(202);
  });
});

describe('another store', () => {
  it('finds, lists and deletes none of them', async () => {
    const doc = newDoc({ text: 'Rahasia toko satu.' });
    await s1()('POST', '/knowledge', doc);
    await settled(doc.id);
    expect(await s2()('GET', `/knowledge/${doc.id}`)).toEqual(NO_DOC);
    expect(await s2()('DELETE', `/knowledge/${doc.id}`)).toEqual(NO_DOC);
    expect(await s2()('GET', '/knowledge?agent_id=A1')).toEqual(NO_AGENT);
    expect(await s2()('POST', '/knowledge', newDoc({ text: 'a' }))).toEqual(NO_AGENT);
    expect((await s1()('GET', `/knowledge/${doc.id}`)).status).toBe(200);
  });

  it('may use the same id for a document of its own', async () => {
    const doc = newDoc({ text: 'Toko satu.' });
    await s1()('POST', '/knowledge', doc);
    const agent = { id: uuidv7(), name: 'Dua', prompt: 'Halo' };
    expect((await s2()('POST', '/agents', agent)).status).toBe(201);
    expect((await s2()('POST', '/knowledge', { ...doc, agent_id: agent.id, text: 'Toko dua.' })).status).toBe(202);
    expect([await settled(doc.id), await settled(doc.id, s2())]).toMatchObject([
      { text: 'Toko satu.' },
      { text: 'Toko dua.' },
    ]);
  });
});

describe('routes of knowledge and gaps', () => {
  const routes = [
    ['GET', '/knowledge?agent_id=A1'],
    ['POST', '/knowledge'],
    ['GET', `/knowledge/x`],
    ['DELETE', `/knowledge/x`],
    ['GET', '/gaps'],
    ['PUT', `/gaps/${uuidv7()}`],
  ] as const;

  it.each(routes)('%s /internal%s is for commerce-api alone', async (method, path) => {
    const tokens = [undefined, await tokenFor({ role: 'owner' }), await serviceToken()];
    for (const token of tokens) {
      const headers = { 'x-store-id': 'S1' };
      const { status } = await caller(bot.url)(`/internal${path}`, { method, token, headers });
      expect(status).toBe(401);
    }
    const foreign = await tokenFor({
      sub: 'svc:commerce-api',
      store: 'S1',
      role: 'service',
      type: 'service+jwt',
      aud: 'ads-api',
    });
    expect((await caller(bot.url)(`/internal${path}`, { method, token: foreign })).status).toBe(401);
    expect((await caller(bot.url)(`/internal${path}`, { method, token: await internalToken('S1') })).status).not.toBe(
      401,
    );
  });
});

it('the log has no text, title or file name of a document', async () => {
  await until(() => bot.log.some((line) => line.includes('"document read"')));
  const log = bot.log.join('\n');
  expect(['Batas retur', 'Rahasia toko', 'retur.pdf', '169.254'].filter((canary) => log.includes(canary))).toEqual([]);
});
