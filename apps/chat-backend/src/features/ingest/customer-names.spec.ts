import { until } from '@platform/testing';
import { form, startChat, type Chat } from '../../chat.fixture';
import type { CommerceClient, Contact } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';

const contacts: Contact[] = [];
const commerce: CommerceClient = { ...takingCommerce, pushContact: async (contact) => (contacts.push(contact), true) };

let chat: Chat;
beforeAll(async () => {
  chat = await startChat({ commerce, environment: { COMMERCE_URL: 'http://127.0.0.1:9' } });
});
afterAll(() => chat.stop());

const customer = async (nohp: string) =>
  (await chat.database.query('SELECT nama, profilepic FROM customers WHERE nohp = $1', [nohp]))[0];
const inbound = (nohp: string, fields: Record<string, string> = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, name: '', ...fields });

describe('the name of a customer', () => {
  it('first seen without one is learnt from a later message, found by search and told to commerce-api', async () => {
    await inbound('628177000001');
    expect(await customer('628177000001')).toEqual({ nama: null, profilepic: null });
    const { body } = await inbound('628177000001', { name: 'Budi Santoso', profilepic: 'https://wa.example/1' });
    expect(body).toMatchObject({
      data: {
        customer: { nama: 'Budi Santoso', profilepic: 'https://wa.example/1' },
        chat_list: { nama: 'Budi Santoso' },
      },
    });
    const query = { nohp: '-', instance: 'all', team: '3', search: 'Budi Santoso' };
    expect((await chat.post('/v1/chat_list', query)).body).toMatchObject({ data: [{ nohp: '628177000001' }] });
    await until(() => contacts.some(({ phone, name }) => phone === '628177000001' && name === 'Budi Santoso'));
  });

  it('once known stays, while the picture follows', async () => {
    await inbound('628177000002', { name: 'Ani', profilepic: 'https://wa.example/1' });
    await inbound('628177000002', { name: 'Ani Lain', profilepic: 'https://wa.example/2' });
    expect(await customer('628177000002')).toEqual({ nama: 'Ani', profilepic: 'https://wa.example/2' });
    await inbound('628177000002');
    expect(await customer('628177000002')).toEqual({ nama: 'Ani', profilepic: 'https://wa.example/2' });
  });

  it.each([
    ['of the shop itself', { fromMe: 'true', name: 'Toko', profilepic: 'https://wa.example/toko' }],
    ['of a member of a group', { number: '62817700-12345@g.us', name: 'Anggota' }],
  ])('is not that %s', async (_, fields) => {
    await inbound('628177000003', fields);
    await inbound('628177000003', fields);
    const nohp = 'number' in fields ? '62817700-12345@g.us' : '628177000003';
    expect(await customer(nohp)).toMatchObject({ nama: null });
  });

  it('that a campaign or an express message gives is kept where there was none', async () => {
    await inbound('628177000004');
    await chat.database.query(`DELETE FROM conversations WHERE nohp = '628177000004'`);
    await Promise.all(['Citra', 'Citra'].map((name) => inbound('628177000004', { name })));
    expect(await customer('628177000004')).toMatchObject({ nama: 'Citra' });
  });
});

describe('acknowledgements', () => {
  const REF = { nohp: '628177000001', instance: 'dev1', team: '3' };
  const ack = (id: string, status: string, timestamp: number) =>
    chat.call('/v1/callback_message', {
      body: form({
        ...{ instanceID: 'dev1', result: 'true', report: 'true', number: '628177000001@s.whatsapp.net' },
        ...{ id, status, timestamp: String(timestamp) },
      }),
    });
  const statusOf = async (id: string) =>
    (await chat.database.query('SELECT status_ack FROM messages WHERE pesan_id = $1', [id]))[0]?.status_ack;
  const sent = async (pesan_id: string) => {
    await chat.post('/v1/send_message', { ...REF, pesan: 'halo', pesan_id });
    return pesan_id;
  };

  it('are compared in one unit, whichever unit each came in', async () => {
    const id = await sent('ACK-UNITS');
    await ack(id, 'delivered', 1_763_620_010_000);
    await ack(id, 'viewed', 1_763_620_020);
    expect(await statusOf(id)).toBe(3);
    await ack(id, 'sent', 1_763_620_015_000_000);
    expect(await statusOf(id)).toBe(3);
  });

  it('from the future freeze nothing', async () => {
    const id = await sent('ACK-FUTURE');
    await ack(id, 'delivered', 4_000_000_000);
    await ack(id, 'viewed', Math.floor(Date.now() / 1000) + 60);
    expect(await statusOf(id)).toBe(3);
  });

  it("of the customer's own messages change nothing", async () => {
    await inbound('628177000001', { id: 'ACK-INBOUND' });
    expect((await ack('ACK-INBOUND', 'sent', 1_763_620_010)).body).toEqual({ result: true, message: 'updated status' });
    expect(await statusOf('ACK-INBOUND')).toBe(2);
  });
});
