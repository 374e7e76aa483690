import { until } from '@platform/testing';
import { takingCommerce } from '../../clients/commerce.fake';
import type { Contact } from '../../clients/commerce.client';
import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
const told: Contact[] = [];
beforeAll(async () => {
  const pushContact = async (contact: Contact) => {
    told.push(contact);
    return true;
  };
  const environment = { COMMERCE_URL: 'http://127.0.0.1:9' };
  chat = await startChat({ commerce: { ...takingCommerce, pushContact }, environment });
});
afterAll(() => chat.stop());

const phone = (number: string) => `${number}@s.whatsapp.net`;
const data = async (number: string, id: string) => {
  const { body } = await chat.inbound({ number, id });
  const { newChatInbox, chat_list: list } = (
    body as { data: { newChatInbox: { seq: number; nohp: string }; chat_list: { chatId: string; nohp: string } } }
  ).data;
  return { seq: newChatInbox.seq, chatId: list.chatId, nohp: list.nohp };
};
const chats = (...numbers: string[]) =>
  chat.database.query(`SELECT nohp, last_seq FROM conversations WHERE nohp = ANY ($1) ORDER BY nohp`, [numbers]);

describe('one message under a number and under a hidden id', () => {
  it('is one row, and later messages of the hidden id join the chat of the number', async () => {
    const first = await data(phone('628700000001'), 'LID1');
    expect(await data('70000001@lid', 'LID1')).toEqual(first);
    expect(await data('70000001@lid', 'LID2')).toEqual({ ...first, seq: 2 });
    expect(await data(phone('628700000001'), 'LID3')).toEqual({ ...first, seq: 3 });
    expect(await chats('628700000001', '70000001@lid')).toEqual([{ nohp: '628700000001', last_seq: 3 }]);
  });

  it('gives a chat that began under the hidden id its number, with all that is in it', async () => {
    const first = await data('70000002@lid', 'LID4');
    expect(first.nohp).toBe('70000002@lid');
    expect(await data(phone('628700000002'), 'LID4')).toEqual({ ...first, nohp: '628700000002' });
    expect(await data(phone('628700000002'), 'LID5')).toEqual({ ...first, nohp: '628700000002', seq: 2 });
    expect(await data('70000002@lid', 'LID6')).toEqual({ ...first, nohp: '628700000002', seq: 3 });
    expect(
      await chat.database.query(`SELECT nohp FROM customers WHERE nohp IN ('628700000002', '70000002@lid')`),
    ).toEqual([{ nohp: '628700000002' }]);
  });

  it('a business-scoped id, which hides a number too, is linked the same way', async () => {
    const hidden = 'ID.13491208655302741918@bsuid';
    const first = await data(hidden, 'BS1');
    expect(first.nohp).toBe(hidden);
    expect(await data(phone('628700000009'), 'BS1')).toEqual({ ...first, nohp: '628700000009' });
    expect(await data(hidden, 'BS2')).toEqual({ ...first, nohp: '628700000009', seq: 2 });
  });

  it.each([
    ['70000007@lid', '628700000007'],
    ['ID.13491208655302741919@bsuid', '628700000008'],
  ])(
    'a chat that began as %s goes on when its customer writes something else by the number',
    async (hidden, number) => {
      const by = async (address: string, id: string, lid?: string) => {
        const raw: Record<string, string> = lid === undefined ? {} : { rawMessage: JSON.stringify({ lid }) };
        const { body } = await chat.inbound({ number: address, id, ...raw });
        const {
          newChatInbox: { seq },
          chat_list,
        } = (body as { data: { newChatInbox: { seq: number }; chat_list: { chatId: string; nohp: string } } }).data;
        return { seq, chatId: chat_list.chatId, nohp: chat_list.nohp };
      };
      const first = await by(hidden, `${number}-1`, hidden);
      expect(first).toMatchObject({ seq: 1, nohp: hidden });
      expect(await by(phone(number), `${number}-2`, hidden)).toEqual({ ...first, seq: 2, nohp: number });
      expect(await by(hidden, `${number}-3`, hidden)).toEqual({ ...first, seq: 3, nohp: number });
      expect(await chats(number, hidden)).toEqual([{ nohp: number, last_seq: 3 }]);
    },
  );

  it('what comes late by the hidden id of a customer who is known by the number joins the chat of the number', async () => {
    const [hidden, number] = ['70000014@lid', '628700000014'];
    const first = await chat.inbound({
      ...{ number: phone(number), id: 'LID40', rawMessage: JSON.stringify({ lid: hidden }) },
    });
    const { chatId } = (first.body as { data: { chat_list: { chatId: string } } }).data.chat_list;
    expect(await data(hidden, 'LID41')).toEqual({ chatId, seq: 2, nohp: number });
    expect(await chats(number, hidden)).toEqual([{ nohp: number, last_seq: 2 }]);
  });

  it('what comes by the hidden id of a customer who has another number now joins the chat of that number', async () => {
    const [hidden, before, now] = ['70000016@lid', '628700000016', '628700000017'];
    const rawMessage = JSON.stringify({ lid: hidden });
    await chat.inbound({ number: phone(before), id: 'LID60', rawMessage });
    await chat.inbound({ number: phone(now), id: 'LID61', rawMessage });
    expect(await data(hidden, 'LID62')).toMatchObject({ nohp: now, seq: 2 });
    expect(await chats(before, hidden)).toEqual([{ nohp: before, last_seq: 1 }]);
  });

  it('what was written by the number of before, and comes again late, takes the hidden id back nowhere', async () => {
    const [hidden, before, now] = ['70000019@lid', '628700000019', '628700000020'];
    const by = (number: string, id: string, timestamp: string, more: object = {}) =>
      chat.inbound({ number: phone(number), id, timestamp, rawMessage: JSON.stringify({ lid: hidden }), ...more });
    await by(before, 'LID80', '1795157100');
    await by(now, 'LID81', '1795157200');
    await by(before, 'LID82', '1795157150', { instanceID: 'vip' });
    await chat.inbound({ number: hidden, id: 'LID82', timestamp: '1795157150', instanceID: 'vip' });
    expect(await data(hidden, 'LID83')).toMatchObject({ nohp: now, seq: 2 });
  });

  it.each([
    ['70000029@lid', '628700000029', '628700000030', ['a 100', 'b 200', 'a 300']],
    ['70000031@lid', '628700000031', '628700000032', ['b 200', 'a 150', 'a 300']],
  ])('what comes by %s, whose owner is back at number %s, joins its chat at once', async (hidden, a, b, said) => {
    for (const [n, words] of said.entries()) {
      const [number, seconds = ''] = words.split(' ');
      await chat.inbound({
        ...{ number: phone(number === 'a' ? a : b), id: `${hidden}-${n}`, timestamp: `1795157${seconds}` },
        ...{ rawMessage: JSON.stringify({ lid: hidden }) },
      });
    }
    expect(await data(hidden, `${hidden}-4`)).toMatchObject({ nohp: a, seq: 3 });
  });

  it('what a device remembers of a hidden id takes it from no number that another device was told of since', async () => {
    const [hidden, before, now] = ['70000035@lid', '628700000035', '628700000036'];
    const by = (number: string, id: string, timestamp: string, known: object = {}) =>
      chat.inbound({
        ...{ number: phone(number), id, timestamp, rawMessage: JSON.stringify({ lid: hidden, ...known }) },
        ...(number === now && { instanceID: 'vip' }),
      });
    const chatOf = ({ body }: { body: unknown }) => (body as { data: { chat_list: object } }).data.chat_list;
    await by(before, 'LID140', '1795157100');
    expect(chatOf(await by(before, 'LID141', '1795157110', { lidSince: 1795157100 }))).toMatchObject({ nohp: before });
    await by(now, 'LID142', '1795157200');
    const remembered = { lidSince: 1795157100 };
    expect(chatOf(await by(before, 'LID143', '1795157300', remembered))).toMatchObject({ nohp: now });
    expect(await data(hidden, 'LID144')).toMatchObject({ nohp: now });
    expect(chatOf(await by(before, 'LID145', '1795157400'))).toMatchObject({ nohp: before });
  });

  it.each([
    ['an older release kept no time', '70000045@lid', '628700000045', '628700000046', 'NULL'],
    ['it was first told long ago', '70000047@lid', '628700000047', '628700000048', "said_at - interval '9 days'"],
  ])(
    'what a device remembers takes a hidden id from no number that is told again: %s',
    async (_, hidden, before, now, said) => {
      const rawMessage = JSON.stringify({ lid: hidden });
      const tells = (instanceID: string, timestamp: string, id: string) =>
        chat.inbound({ number: phone(now), rawMessage, instanceID, timestamp, id });
      await tells('dev1', '1795157000', `${hidden}-1`);
      await chat.database.query(`UPDATE conversation_aliases SET said_at = ${said} WHERE alias = $1`, [hidden]);
      await tells('vip', '1795157200', `${hidden}-2`);
      const remembered = JSON.stringify({ lid: hidden, lidSince: 1_795_157_100 });
      await chat.inbound({ number: phone(before), rawMessage: remembered, id: `${hidden}-3`, timestamp: '1795157300' });
      expect(await data(hidden, `${hidden}-4`)).toMatchObject({ nohp: now });
      expect(await chats(before)).toEqual([]);
    },
  );

  it.each([
    ['it is known', '70000039@lid', '628700000039', '628700000040'],
    ['an older release kept it not', '70000041@lid', '628700000041', '628700000042'],
  ])(
    'what comes again by a hidden id takes that back nowhere: %s when the number was told',
    async (when, hidden, before, now) => {
      const rawMessage = JSON.stringify({ lid: hidden });
      await chat.inbound({ number: phone(before), id: `${hidden}-1`, timestamp: '1795157100', rawMessage });
      const again = () => chat.inbound({ number: hidden, id: `${hidden}-2`, timestamp: '1795157300' });
      await again();
      await chat.inbound({
        number: phone(now),
        id: `${hidden}-3`,
        timestamp: '1795157200',
        rawMessage,
        instanceID: 'vip',
      });
      if (when !== 'it is known')
        await chat.database.query('UPDATE conversation_aliases SET said_at = NULL WHERE alias = $1', [hidden]);
      await again();
      expect(await data(hidden, `${hidden}-4`)).toMatchObject({ nohp: now });
    },
  );

  it('who has a number that was another one’s before takes it from their hidden id, and from no business-scoped one', async () => {
    const [before, now, business, number] = [
      '70000021@lid',
      '70000022@lid',
      'ID.13491208655302741921@bsuid',
      '628700000021',
    ];
    const shown = (lid: string, id: string, timestamp: string, more: object = {}) =>
      chat.inbound({ number: phone(number), id, timestamp, rawMessage: JSON.stringify({ lid }), ...more });
    await shown(before, 'LID90', '1795157100');
    await shown(business, 'LID91', '1795157110');
    await shown(now, 'LID92', '1795157200');
    expect(await data(before, 'LID93')).toMatchObject({ nohp: before, seq: 1 });
    await shown(before, 'LID94', '1795157150', { instanceID: 'vip' });
    for (const [lid, nohp] of [
      [now, number],
      [business, number],
      [before, before],
    ])
      expect(await data(lid ?? '', `LID95${lid}`)).toMatchObject({ nohp });
  });

  it('who has a number that was another one’s before is nobody whom the bot knows by their hidden id', async () => {
    const [before, now, number] = ['70000025@lid', '70000026@lid', '628700000025'];
    const shown = (lid: string, id: string, timestamp: string) =>
      chat.inbound({ number: phone(number), id, timestamp, rawMessage: JSON.stringify({ lid }) });
    const begun = () => chat.database.query('SELECT begun_as FROM conversations WHERE nohp = $1', [number]);
    await data(before, 'LID110');
    await shown(before, 'LID111', '1795157100');
    expect(await begun()).toEqual([{ begun_as: before }]);
    await shown(now, 'LID112', '1795157200');
    expect(await begun()).toEqual([{ begun_as: null }]);
  });

  it('the hidden id of who writes in a group is not the group', async () => {
    const [group, hidden] = ['120363000000000077@g.us', '70000013@lid'];
    const first = await data(hidden, 'LID30');
    await chat.inbound({ number: group, id: 'LID31', rawMessage: JSON.stringify({ lid: hidden }) });
    expect(await data(hidden, 'LID32')).toEqual({ ...first, seq: 2 });
  });

  it('leaves the chat of another device alone', async () => {
    await data(phone('628700000003'), 'LID7');
    await data('70000003@lid', 'LID7');
    const { body } = await chat.inbound({ number: '70000003@lid', id: 'LID8', instanceID: 'dev2' });
    expect(body).toMatchObject({ data: { chat_list: { nohp: '70000003@lid' } } });
  });

  it('links nothing when it is given two numbers', async () => {
    const first = await data(phone('628700000004'), 'LID9');
    expect(await data(phone('628700000005'), 'LID9')).toEqual(first);
    expect(await chat.database.query(`SELECT 1 FROM conversation_aliases WHERE alias LIKE '62%'`)).toEqual([]);
  });
});

describe('a hidden id that writes to several devices of a store', () => {
  it('is known at once to one that is new, when its customer writes there by the number', async () => {
    const [hidden, number] = ['70000043@lid', '628700000043'];
    const shows = (id: string, more: object = {}) =>
      chat.inbound({ number: phone(number), id, rawMessage: JSON.stringify({ lid: hidden }), ...more });
    await shows('LID170');
    await chat.database.query(`DELETE FROM conversation_aliases WHERE instance = 'vip' AND alias = $1`, [hidden]);
    await shows('LID171', { instanceID: 'vip' });
    const { body } = await chat.inbound({ number: hidden, id: 'LID172', instanceID: 'vip' });
    expect(body).toMatchObject({ data: { newChatInbox: { seq: 2 }, chat_list: { nohp: number } } });
  });

  it('is the same person on all of them', async () => {
    const vip = (number: string, id: string) => chat.inbound({ number, id, instanceID: 'vip' });
    await data('70000006@lid', 'LID10');
    await vip('70000006@lid', 'LID11');
    await data(phone('628700000006'), 'LID10');
    expect((await vip('70000006@lid', 'LID12')).body).toMatchObject({
      result: true,
      data: { newChatInbox: { seq: 2, instance: 'vip' }, chat_list: { nohp: '628700000006', unread: 2 } },
    });
    expect(
      await chat.database.query(
        `SELECT c.instance, c.nohp, k.nohp AS customer FROM conversations c JOIN customers k ON k.id = c.customer_id WHERE c.nohp LIKE '%7%06' ORDER BY 1`,
      ),
    ).toEqual([
      { instance: 'dev1', nohp: '628700000006', customer: '628700000006' },
      { instance: 'vip', nohp: '628700000006', customer: '628700000006' },
    ]);
  });
});

describe('who has said STOP under a hidden id', () => {
  const said = (number: string, text: string) => chat.inbound({ number, text, timestamp: '1795157100' });
  const customers = (...numbers: string[]) =>
    chat.database.query(
      `SELECT nohp, opt_out, opt_out_by_customer FROM customers WHERE nohp = ANY ($1) ORDER BY nohp`,
      [numbers],
    );
  const toldOf = async (nohp: string, times: number) => {
    const of = () => Promise.resolve(told.filter(({ phone: number }) => number === nohp));
    return until(of, ({ length }) => length >= times);
  };

  it('is stopped under the number, in the store and at commerce-api, when the number is learned', async () => {
    const [hidden, number] = ['70000010@lid', '628700000010'];
    await said(hidden, 'STOP');
    await data(hidden, 'LID20');
    await data(phone(number), 'LID20');
    expect(await customers(hidden, number)).toEqual([{ nohp: number, opt_out: true, opt_out_by_customer: true }]);
    expect(await toldOf(number, 1)).toEqual([{ storeId: 'S1', phone: number, name: 'Budi', optedOut: true }]);
  });

  it('is stopped too where the number was known before, until the customer says START', async () => {
    const [hidden, number] = ['70000011@lid', '628700000011'];
    await data(phone(number), 'LID21');
    await toldOf(number, 1);
    await said(hidden, 'STOP');
    await data(hidden, 'LID22');
    await data(phone(number), 'LID22');
    expect(await customers(number)).toEqual([{ nohp: number, opt_out: true, opt_out_by_customer: true }]);
    expect(await toldOf(number, 2)).toEqual([
      { storeId: 'S1', phone: number, name: 'Budi' },
      { storeId: 'S1', phone: number, name: 'Budi', optedOut: true },
    ]);
    await said(phone(number), 'START');
    await data(hidden, 'LID22');
    expect(await customers(hidden, number)).toEqual([
      { nohp: number, opt_out: false, opt_out_by_customer: false },
      { nohp: hidden, opt_out: true, opt_out_by_customer: false },
    ]);
  });

  it('is stopped on the device that learns the number first, too', async () => {
    const [hidden, number] = ['70000015@lid', '628700000015'];
    await chat.inbound({ number: hidden, text: 'STOP', timestamp: '1795157100', instanceID: 'vip' });
    await chat.inbound({ number: phone(number), id: 'LID50', rawMessage: JSON.stringify({ lid: hidden }) });
    expect(await customers(number)).toEqual([{ nohp: number, opt_out: true, opt_out_by_customer: true }]);
  });

  it('is stopped at once where another device of the store knows whose it is', async () => {
    const [hidden, number] = ['70000018@lid', '628700000018'];
    await chat.inbound({ number: phone(number), id: 'LID70', rawMessage: JSON.stringify({ lid: hidden }) });
    await chat.inbound({ number: hidden, text: 'STOP', timestamp: '1795157100', instanceID: 'vip' });
    expect(await customers(hidden, number)).toEqual([{ nohp: number, opt_out: true, opt_out_by_customer: true }]);
  });

  it('or under the number of before is stopped under the new number too, in the store and at commerce-api, until they say START', async () => {
    const [hidden, before, now] = ['70000023@lid', '628700000023', '628700000024'];
    const rawMessage = JSON.stringify({ lid: hidden });
    await chat.inbound({ number: phone(before), text: 'STOP', timestamp: '1795157100', id: 'LID100', rawMessage });
    await chat.inbound({ number: phone(now), timestamp: '1795157200', id: 'LID101', rawMessage });
    const stopped = { opt_out: true, opt_out_by_customer: true };
    expect(await customers(before, now)).toEqual([
      { nohp: before, ...stopped },
      { nohp: now, ...stopped },
    ]);
    await until(async () => (await toldOf(now, 1)).some(({ optedOut }) => optedOut));
    await chat.inbound({ number: phone(now), text: 'START', timestamp: '1795157300', id: 'LID102', rawMessage });
    await chat.inbound({ number: phone(now), timestamp: '1795157400', id: 'LID103', instanceID: 'vip', rawMessage });
    expect(await customers(now)).toEqual([{ nohp: now, opt_out: false, opt_out_by_customer: false }]);
  });

  it('is stopped under the new number also where a device learns it that knew nobody before', async () => {
    const [hidden, before, now] = ['70000033@lid', '628700000033', '628700000034'];
    const rawMessage = JSON.stringify({ lid: hidden });
    await chat.inbound({ number: phone(before), text: 'STOP', timestamp: '1795157100', id: 'LID130', rawMessage });
    await chat.database.query(`DELETE FROM conversation_aliases WHERE instance = 'vip' AND alias = $1`, [hidden]);
    const there = { instanceID: 'vip', timestamp: '1795157200' };
    await chat.inbound({ number: phone(now), id: 'LID131', rawMessage, ...there });
    expect(await customers(now)).toEqual([{ nohp: now, opt_out: true, opt_out_by_customer: true }]);
  });

  it('is stopped under their next number also when somebody else got the one of before first, who may say START there', async () => {
    const [stopped, other, before, now] = ['70000037@lid', '70000038@lid', '628700000037', '628700000038'];
    const by = (number: string, lid: string, timestamp: string, more: object = {}) =>
      chat.inbound({ number: phone(number), timestamp, rawMessage: JSON.stringify({ lid }), ...more });
    await by(before, stopped, '1795157100', { text: 'STOP', id: 'LID150' });
    await by(before, other, '1795157200', { text: 'START', id: 'LID151' });
    await by(now, stopped, '1795157300', { id: 'LID152' });
    expect(await customers(before, now)).toEqual([
      { nohp: before, opt_out: false, opt_out_by_customer: false },
      { nohp: now, opt_out: true, opt_out_by_customer: true },
    ]);
  });

  it('stops nobody who had their next number before', async () => {
    const [stopped, other] = ['70000049@lid', '70000050@lid'];
    const [before, now, next] = ['628700000049', '628700000050', '628700000051'];
    const by = (number: string, lid: string, timestamp: string, more: object = {}) =>
      chat.inbound({ number: phone(number), timestamp, rawMessage: JSON.stringify({ lid }), ...more });
    await by(before, stopped, '1795157100', { text: 'STOP', id: 'LID190' });
    await by(now, other, '1795157100', { id: 'LID191' });
    await by(now, stopped, '1795157200', { id: 'LID192' });
    await by(next, other, '1795157300', { id: 'LID193' });
    expect(await customers(now, next)).toMatchObject([{ opt_out: true }, { opt_out: false }]);
  });

  it('stops nobody who has their number of later, as a message from before that tells', async () => {
    const [stopped, before, other, now] = ['70000027@lid', '628700000027', '70000028@lid', '628700000028'];
    const by = (number: string, lid: string, timestamp: string, id: string, more: object = {}) =>
      chat.inbound({ number: phone(number), id, timestamp, rawMessage: JSON.stringify({ lid }), ...more });
    await by(before, stopped, '1795157100', 'LID120', { text: 'STOP' });
    await by(now, other, '1795157200', 'LID121');
    await by(now, stopped, '1795157150', 'LID122', { instanceID: 'vip' });
    expect(await customers(now)).toEqual([{ nohp: now, opt_out: false, opt_out_by_customer: false }]);
  });

  it('becomes a contact when the number is learned, also without a word of it', async () => {
    await data('70000012@lid', 'LID23');
    await data(phone('628700000012'), 'LID23');
    expect(await toldOf('628700000012', 1)).toEqual([{ storeId: 'S1', phone: '628700000012', name: 'Budi' }]);
  });
});
