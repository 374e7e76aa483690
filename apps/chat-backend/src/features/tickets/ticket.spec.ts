import { RINA, startChat, type Chat } from '../../chat.fixture';
import { ticketEventOf, ticketOf } from '../../walk.records.fixture';
import { ticketStatuses } from './ticket.dto';

let chat: Chat;
let made = 0;
const OWNER = { sub: 'u-owner', role: 'owner', teams: [] } as const;
const VIP = { sub: 'u-vip', teams: ['4'] } as const;
const PHONE = '628100000001';

beforeAll(async () => {
  chat = await startChat();
  await chat.inbound({ number: `${PHONE}@s.whatsapp.net` });
  await chat.database.query(`UPDATE conversations SET status = 1 WHERE nohp = $1`, [PHONE]);
});
afterAll(() => chat.stop());

/** A ticket of the chat, assigned to Siti. */
const ticket = async (status: string) => {
  const [row] = await chat.database.query<{ id: string }>(
    `INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, instance, team_id, customer_id, judul, isi, status, user_id)
     SELECT c.store_id, uuidv7(), 'T-' || $1, c.id, c.nohp, c.instance, c.team_id, c.customer_id, 'Retur', 'Salah ukuran', $2, 'u-siti' FROM conversations c WHERE c.nohp = $3
     RETURNING store_id || '.' || id AS id`,
    [String(++made), status, PHONE],
  );
  return row?.id;
};
const change = async (body: object, claims: object = RINA, path = 'change_ticket_status') =>
  (await chat.post(`/v1/${path}`, body, { token: path.endsWith('_crm') ? '' : chat.tokens.tokenFor(claims) })).body;
const NOT_FOUND = { result: false, message: 'ticket tidak ditemukan', code: 'ticket_not_found' };
const CLOSED = { result: false, message: 'ticket sudah ditutup', code: 'ticket_closed' };

describe('change_ticket_status', () => {
  it('answers ticket and history, tells the chat and whoever works on it', async () => {
    const ticketId = await ticket('open');
    const id = String(ticketId).slice('S1.'.length);
    const chatId = expect.stringMatching(/^S1\./) as string;
    expect(await change({ ticketId, status: 'on_progress', catatan: 'dicek' })).toEqual({
      result: true,
      message: 'success change ticket status',
      data: ticketOf({ ref: { nohp: PHONE, instance: 'dev1', team: '3', chatId } }, id, {
        nomor: `T-${made}`,
        status: 'on_progress',
        user_id: 'u-siti',
        catatan: 'dicek',
      }),
      history: [
        ticketEventOf(id, {
          event: 'status',
          from_status: 'open',
          to_status: 'on_progress',
          actor_type: 'user',
          user_id: 'u-rina',
          user_nama: 'Rina',
          catatan: 'dicek',
        }),
      ],
    });
    expect(
      await chat.database.query(
        `SELECT h.event, h.catatan, n.type, n.user_id, n.isi FROM chat_histories h JOIN notifications n USING (store_id, conversation_id) WHERE h.event = 'ticket_status'`,
      ),
    ).toEqual([
      {
        event: 'ticket_status',
        catatan: `T-${made}: on_progress, dicek`,
        type: 'ticket_status',
        user_id: 'u-siti',
        isi: 'Retur: on_progress',
      },
    ]);
  });

  it.each(ticketStatuses.flatMap((from) => ticketStatuses.map((to) => [from, to] as const)))(
    '%s to %s',
    async (from, to) => {
      const ticketId = await ticket(from);
      for (const [claims, supervises] of [
        [RINA, false],
        [OWNER, true],
      ] as const) {
        const reopens = from === 'closed' && to === 'open';
        const answer = await change({ ticketId, status: to }, claims);
        if (from === 'closed' && to !== 'open' && to !== 'closed') expect(answer).toEqual(CLOSED);
        else if (reopens && !supervises)
          expect(answer).toEqual({ result: false, message: 'tidak punya akses', code: 'forbidden' });
        else expect(answer).toMatchObject({ result: true, data: { status: to } });
      }
      const events = await chat.database.query(
        `SELECT 1 FROM ticket_histories WHERE store_id || '.' || ticket_id = $1`,
        [ticketId],
      );
      const moved = from !== to && (from !== 'closed' || to === 'open');
      expect(events).toHaveLength(moved ? 1 : 0);
    },
  );

  it('twenty times at once makes one event', async () => {
    const ticketId = await ticket('open');
    const answers = await Promise.all(Array.from({ length: 20 }, () => change({ ticketId, status: 'resolved' })));
    expect(answers.filter((body) => (body as { result: boolean }).result)).toHaveLength(20);
    expect((answers.at(-1) as { history: object[] }).history).toHaveLength(1);
  });

  it('finds no ticket of another store or team, and none that does not exist', async () => {
    const ticketId = await ticket('open');
    for (const claims of [VIP, { ...OWNER, store_id: 'S2' }])
      expect(await change({ ticketId, status: 'closed' }, claims)).toEqual(NOT_FOUND);
    expect(await change({ ticketId: 'S1.00000000-0000-7000-8000-000000000000', status: 'closed' })).toEqual(NOT_FOUND);
    expect(await change({ ticketId, status: 'gone' })).toMatchObject({ errors: [{ field: 'status', tag: 'oneof' }] });
  });

  it('works for the CRM, which reopens and may name the agent, but not for groups', async () => {
    const ticketId = await ticket('closed');
    const crm = (body: object) => change({ ticketId, ...body }, {}, 'change_ticket_status_crm');
    expect(await crm({ status: 'open', user_id: 'u-siti' })).toMatchObject({
      result: true,
      data: { status: 'open' },
      history: [{ actor_type: 'crm', user_id: 'u-siti' }],
    });
    await chat.database.query(`UPDATE conversations SET is_group = true WHERE nohp = $1`, [PHONE]);
    expect(await crm({ status: 'closed' })).toEqual(NOT_FOUND);
  });
});
