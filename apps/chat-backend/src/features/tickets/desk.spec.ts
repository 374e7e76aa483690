import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import { ticketEventOf, ticketOf } from '../../walk.records.fixture';
import { openClient, closeClients } from '../sockets/sockets.fixture';
import { LIST } from './desk.sql';

let chat: Chat;
let token: string;
let numbers = 0;
beforeAll(async () => {
  chat = await startChat();
  token = chat.tokens.tokenFor(SERVICE);
});
afterAll(async () => {
  closeClients();
  await chat.stop();
});

const NOT_FOUND = { result: false, message: 'ticket tidak ditemukan', code: 'ticket_not_found' };
const CLOSED = { result: false, message: 'ticket sudah ditutup', code: 'ticket_closed' };
const call = async (method: string, path: string, body?: object, as = token) =>
  (await chat.call(`/internal/tickets${path}`, { method, token: as, ...(body ? { body } : {}) })).body;
const TICKET = { store_id: 'S1', judul: 'Retur', isi: 'Salah ukuran' };
/** A ticket of a customer who has a chat, unless told otherwise. */
const opened = async (more: object = {}, withChat = true) => {
  const nohp = `62812${String(++numbers).padStart(7, '0')}`;
  if (withChat) await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
  const id = uuidv7();
  const body = { ...TICKET, nohp, ...more };
  return { id, nohp, body, answer: await call('PUT', `/${id}`, body) };
};
const record = (id: string, nohp: string, more: object = {}) =>
  ticketOf({ ref: { nohp, instance: 'dev1', team: '3', chatId: expect.stringMatching(/^S1\./) as string } }, id, more);

describe('opening a ticket', () => {
  it('names it on the chat, tells who is to work on it, and is the same when it is repeated', async () => {
    const rina = await openClient<{ judul?: string; chat_list?: { ticketId: string } }>(
      chat.url,
      chat.tokens.tokenFor({ sub: 'u-rina' }),
    );
    const more = { kategori: 'retur', prioritas: 'high', orderId: 'O1', user_id: 'u-rina' };
    const { id, nohp, body, answer } = await opened(more);
    const expected = { result: true, message: 'success open ticket', data: record(id, nohp, more) };
    expect(answer).toEqual(expected);
    expect(await call('PUT', `/${id}`, body)).toEqual(expected);
    const taken = { result: false, message: 'id sudah dipakai', code: 'id_taken' };
    for (const other of [{ judul: 'Lain' }, { isi: 'Lain' }, { nohp: '628129999999' }])
      expect(await call('PUT', `/${id}`, { ...body, ...other })).toEqual(taken);
    expect((await chat.post('/v1/chat_inbox', { nohp, instance: 'dev1', team: '3' })).body).toMatchObject({
      chat_list: { ticketId: `S1.${id}` },
    });
    const { nomor } = (answer as { data: { nomor: string } }).data;
    await until(() => rina.named('notif').length);
    expect(rina.named('notif').map(({ payload }) => payload.judul)).toEqual([`Ticket ${nomor} ditugaskan kepada Anda`]);
    await until(() => rina.named('updateChatlist').some(({ payload }) => payload.chat_list?.ticketId === `S1.${id}`));
  });

  it('twenty times at once makes one ticket, and numbers keep no gaps', async () => {
    const id = uuidv7();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('PUT', `/${id}`, { ...TICKET, nohp: '628120009999' })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const [count] = await chat.database.query<{ n: number; last: number }>(
      `SELECT count(*)::int AS n, (SELECT last FROM ticket_numbers WHERE store_id = 'S1') AS last FROM tickets WHERE store_id = 'S1'`,
    );
    expect(count?.n).toBe(count?.last);
  });

  it('works for a number without a chat', async () => {
    const { id, nohp, answer } = await opened({}, false);
    expect(answer).toMatchObject({
      data: record(id, nohp, { chatId: null, instance: null, team: null, customerId: null }),
    });
  });

  it.each([
    ['no UUID', 'T1', {}, { errors: [{ field: 'id', tag: 'uuid', message: 'id must be a valid UUID' }] }],
    ['no number', uuidv7(), { nohp: 'x' }, { errors: [expect.objectContaining({ field: 'nohp', tag: 'number' })] }],
    [
      'a stranger to work on it',
      uuidv7(),
      { user_id: 'u-x' },
      { result: false, message: 'user tidak ditemukan', code: 'user_not_found' },
    ],
    [
      'no title',
      uuidv7(),
      { judul: ' ' },
      { errors: [{ field: 'judul', tag: 'required', message: 'judul is a required field' }] },
    ],
  ])('is refused with %s', async (_, id, more, expected) =>
    expect(await call('PUT', `/${id}`, { ...TICKET, nohp: '628120000001', ...more })).toEqual(expected),
  );
});

describe('the list of tickets', () => {
  it('is newest first, filtered, and walked by cursors', async () => {
    const made = [];
    for (const more of [{ judul: 'Paket 100%' }, { prioritas: 'urgent' }, { user_id: 'u-siti' }])
      made.push(await opened(more));
    const list = async (query: string) =>
      (await call('GET', `?store_id=S1&${query}`)) as { data: { ticketId: string }[]; next_cursor: string | null };
    const ids = async (query: string) => (await list(query)).data.map(({ ticketId }) => ticketId.slice(3));
    const [first, second, third] = made.map(({ id }) => id);
    expect(await list('limit=3')).toEqual({
      result: true,
      message: 'success',
      data: [
        record(third as string, made[2]?.nohp as string, { user_id: 'u-siti' }),
        record(second as string, made[1]?.nohp as string, { prioritas: 'urgent' }),
        record(first as string, made[0]?.nohp as string, { judul: 'Paket 100%' }),
      ],
      next_cursor: expect.any(String),
    });
    expect(await ids('prioritas=urgent')).toEqual([second]);
    expect(await ids('user_id=u-siti')).toEqual([third]);
    expect(await ids(`nohp=0${made[0]?.nohp.slice(2)}`)).toEqual([first]);
    expect(await ids('q=100%25')).toEqual([first]);
    expect(await ids('q=%25%25')).toEqual([]);
    expect(await ids('status=closed')).toEqual([]);
    const walked: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`limit=2${cursor}`);
      walked.push(...page.data.map(({ ticketId }) => ticketId.slice(3)));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    const all = await chat.database.query<{ id: string }>(`SELECT id FROM tickets WHERE store_id = 'S1'`);
    expect([walked.length, new Set(walked).size]).toEqual([all.length, all.length]);
    expect(await call('GET', `?store_id=S1&status=open&cursor=${(await list('limit=2')).next_cursor}`)).toEqual({
      errors: [{ field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' }],
    });
  });

  it('gives up after three seconds instead of holding up others', async () => {
    // Somebody locks the table for longer than that
    const blocker = chat.database.tx(async (tx) => {
      await tx.query('LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE');
      return call('GET', '?store_id=S1&q=rusak');
    });
    expect(await blocker).toEqual({ result: false, message: 'pencarian terlalu luas', code: 'too_broad' });
  });

  it('reads one range of an index', async () =>
    expectNoSeqScan(
      await explain(chat.database, LIST, [
        'S1',
        'infinity',
        uuidv7(),
        50,
        null,
        null,
        null,
        null,
        null,
        ['3', '@u-rina'],
      ]),
      'tickets',
    ));
});

describe('working on a ticket', () => {
  it('reply, assign and rate show in the whole ticket, each once however often it is repeated', async () => {
    const { id, nohp } = await opened();
    const [plain, sent] = [uuidv7(), uuidv7()];
    const reply = { store_id: 'S1', balasanId: plain, pesan: 'dicek', user_id: 'u-rina' };
    const loud = { store_id: 'S1', balasanId: sent, pesan: 'diganti', url: 'https://toko.example/r', kirim: true };
    const kept = (balasanId: string, more: object) => ({
      result: true,
      message: 'success reply ticket',
      data: { balasanId, waktu: expect.any(String), url: null, ...more },
    });
    for (let times = 0; times < 2; times++) {
      expect(await call('POST', `/${id}/replies`, reply)).toEqual(
        kept(plain, { user_id: 'u-rina', user_nama: 'Rina', pesan: 'dicek' }),
      );
      expect(await call('POST', `/${id}/replies`, loud)).toEqual(
        kept(sent, { user_id: null, user_nama: null, pesan: 'diganti', url: 'https://toko.example/r' }),
      );
      expect(await call('PUT', `/${id}/assign`, { store_id: 'S1', user_id: 'u-siti' })).toEqual({
        result: true,
        message: 'success assign ticket',
        data: record(id, nohp, { user_id: 'u-siti' }),
      });
    }
    const rating = { store_id: 'S1', rating: 5, feedback: 'cepat' };
    const rated = { user_id: 'u-siti', rating: 5, feedback: 'cepat' };
    expect(await call('PUT', `/${id}/rating`, rating)).toEqual({
      result: true,
      message: 'success rate ticket',
      data: record(id, nohp, rated),
    });
    expect(await call('PUT', `/${id}/rating`, { ...rating, rating: 1 })).toEqual({
      result: false,
      message: 'ticket sudah dinilai',
      code: 'already_rated',
    });
    const event = (name: string, more: object) => ticketEventOf(id, { event: name, ...more });
    const whole = {
      result: true,
      message: 'success',
      data: {
        ...record(id, nohp, rated),
        balasan: [
          kept(plain, { user_id: 'u-rina', user_nama: 'Rina', pesan: 'dicek' }).data,
          kept(sent, { user_id: null, user_nama: null, pesan: 'diganti', url: 'https://toko.example/r' }).data,
        ],
        history: [
          event('created', { to_status: 'open', catatan: 'Retur' }),
          event('reply', { actor_type: 'user', user_id: 'u-rina', user_nama: 'Rina' }),
          event('reply', {}),
          event('assign', { catatan: 'Siti' }),
          event('rating', { actor_type: 'customer', catatan: '5: cepat' }),
        ],
      },
    };
    expect(await call('GET', `/${id}?store_id=S1`)).toEqual(whole);
    expect(await call('GET', `/S1.${id}?store_id=S1`)).toEqual(whole);
    await until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === sent));
    expect(chat.gateway.calls.filter(({ number }) => number === nohp)).toEqual([
      expect.objectContaining({ pesanId: sent, role: 'system', text: 'diganti\nhttps://toko.example/r' }),
    ]);
  });

  it("a reply that is sent in an agent's name takes the chat as their message would", async () => {
    const { id, nohp } = await opened();
    await call('POST', `/${id}/replies`, {
      store_id: 'S1',
      balasanId: uuidv7(),
      pesan: 'saya urus',
      user_id: 'u-siti',
      kirim: true,
    });
    expect((await chat.post('/v1/chat_inbox', { nohp, instance: 'dev1', team: '3' })).body).toMatchObject({
      chat_list: { status: 'handle', user_id: 'u-siti', last_pesan: 'saya urus' },
    });
  });

  it('ends when it is closed; repeats of earlier calls are still answered', async () => {
    const { id } = await opened({ user_id: 'u-rina' });
    const reply = { store_id: 'S1', balasanId: uuidv7(), pesan: 'selesai' };
    const kept = await call('POST', `/${id}/replies`, reply);
    await chat.post('/v1/change_ticket_status', { ticketId: `S1.${id}`, status: 'closed' });
    expect(await call('POST', `/${id}/replies`, reply)).toEqual(kept);
    expect(await call('PUT', `/${id}/assign`, { store_id: 'S1', user_id: 'u-rina' })).toMatchObject({ result: true });
    expect(await call('POST', `/${id}/replies`, { ...reply, balasanId: uuidv7() })).toEqual(CLOSED);
    expect(await call('PUT', `/${id}/assign`, { store_id: 'S1', user_id: 'u-siti' })).toEqual(CLOSED);
  });

  it('cannot send to a chat that does not exist, and then keeps nothing', async () => {
    const { id } = await opened({}, false);
    const body = { store_id: 'S1', balasanId: uuidv7(), pesan: 'halo', kirim: true };
    expect(await call('POST', `/${id}/replies`, body)).toMatchObject({ code: 'chat_not_found' });
    expect(await call('GET', `/${id}?store_id=S1`)).toMatchObject({ data: { balasan: [] } });
  });

  it('sends nothing under an id that another message has, and then keeps nothing', async () => {
    const [one, other] = [await opened(), await opened()];
    const body = { store_id: 'S1', balasanId: uuidv7(), pesan: 'halo', kirim: true };
    expect(await call('POST', `/${one.id}/replies`, body)).toMatchObject({ result: true });
    expect(await call('POST', `/${other.id}/replies`, body)).toEqual({
      ...{ result: false, message: 'pesan sudah diproses', code: 'duplicate' },
    });
    expect(await call('GET', `/${other.id}?store_id=S1`)).toMatchObject({ data: { balasan: [] } });
  });

  it('under an id that another reply has is refused', async () => {
    const { id } = await opened();
    const body = { store_id: 'S1', balasanId: uuidv7(), pesan: 'halo' };
    await call('POST', `/${id}/replies`, body);
    const taken = { result: false, message: 'id sudah dipakai', code: 'id_taken' };
    for (const other of [{ pesan: 'lain' }, { url: 'https://toko.example/r' }])
      expect(await call('POST', `/${id}/replies`, { ...body, ...other })).toEqual(taken);
  });

  it('a reply is sent only by who may answer the chat, and then keeps nothing', async () => {
    const { id, nohp } = await opened({ user_id: 'u-rina' });
    const seen = { store_id: 'S1', viewer_id: 'u-rina', viewer_teams: '7' };
    const loud = { ...seen, balasanId: uuidv7(), pesan: 'saya ambil', kirim: true };
    expect(await call('POST', `/${id}/replies`, loud)).toEqual({
      ...{ result: false, message: 'tidak punya akses', code: 'forbidden' },
    });
    const quiet = { ...seen, balasanId: uuidv7(), pesan: 'dicek' };
    expect(await call('POST', `/${id}/replies`, quiet)).toMatchObject({ result: true });
    expect(await call('GET', `/${id}?store_id=S1`)).toMatchObject({ data: { balasan: [{ pesan: 'dicek' }] } });
    expect(chat.gateway.calls.filter(({ number }) => number === nohp)).toEqual([]);
  });

  it('is for services only, and no store reaches another', async () => {
    const { id } = await opened();
    const other = chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' });
    const calls: [string, string, object?][] = [
      ['GET', `/${id}?store_id=$`],
      ['POST', `/${id}/replies`, { balasanId: uuidv7(), pesan: 'x' }],
      ['PUT', `/${id}/assign`, { user_id: 'u-siti' }],
      ['PUT', `/${id}/rating`, { rating: 1 }],
    ];
    for (const [method, path, body] of calls) {
      const as = (store: string, caller: string) =>
        call(method, path.replace('$', store), body && { store_id: store, ...body }, caller);
      expect(await as('S2', other)).toEqual(NOT_FOUND);
      expect(await as('S1', other)).toMatchObject({ result: false, code: 'forbidden' });
      expect(await as('S1', chat.tokens.tokenFor({ role: 'owner' }))).toEqual({
        status: 'error',
        message: 'Unauthenticated',
      });
    }
    expect(await call('GET', `/S2.${id}?store_id=S1`)).toEqual(NOT_FOUND);
    expect(await call('GET', '?store_id=S2', undefined, other)).toMatchObject({ data: [] });
    expect(await call('GET', `/${id}?store_id=S1`)).toMatchObject({ data: { rating: null, balasan: [] } });
  });
});
