import { invalid, useGateway, useSocket, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;

const heard: { event: string; payload: Record<string, unknown> }[] = [];
const gateway = useGateway({ WEBHOOK_SEND_REACTIONS: 'true' });
const socket = useSocket(gateway);
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
  socket.onAny((event: string, payload: Record<string, unknown>) => heard.push({ event, payload }));
});
beforeEach(() => gateway.receiver.reset());

const send = (data: object, pesan_id = `C-${Math.random()}`) =>
  gateway.client.post('/api/send-message', { pesan_id, role: 'agent', data: { number: BUDI, ...data } });
const idOf = ({ body }: { body: unknown }) => (body as { data: { id: string } }).data.id;
const shown = (id: string) =>
  until(
    async () =>
      (
        await gateway.client.data<{ messages: { id: string; content: object }[] }>(
          gateway.client.get(`/sim/inbox?nohp=${BUDI}`),
        )
      ).messages.find((message) => message.id === id)?.content,
    (content) => content !== undefined,
  );
const callbacks = async (count: number) => {
  await until(
    () => gateway.receiver.messages().length,
    (taken) => taken >= count,
  );
  return gateway.receiver.messages().map(({ fields }) => fields);
};

describe('the kinds of content of send-message', () => {
  const poll = { name: 'Ukuran?', options: ['41', '42', '43'] };
  it.each([
    ['a poll', { poll }, { kind: 'poll', ...poll, selectable: 1 }],
    ['a poll of many answers', { poll: { ...poll, selectable: 3 } }, { kind: 'poll', ...poll, selectable: 3 }],
    ['a reaction', { reaction: { id: '3AFF', emoji: '👍' } }, { kind: 'reaction', id: '3AFF', emoji: '👍' }],
    [
      'a text that answers one and names people',
      { text: 'halo @628120000002', quoted_id: '3AFF', mentions: ['0812-0000-002'] },
      { kind: 'text', text: 'halo @628120000002', quotedId: '3AFF', mentions: ['628120000002@s.whatsapp.net'] },
    ],
  ])('%s', async (_, data, content) => {
    expect(await shown(idOf(await send(data)))).toEqual(content);
  });

  const nothing = invalid('text', 'required', 'text is required');
  it.each([
    ['nothing', {}, nothing],
    ['a contact, which no route sends', { contact: { name: 'Joko', phone: '628129' } }, nothing],
    ['two things at once', { text: 'x', poll }, nothing],
    ['an empty text', { text: '  ' }, nothing],
    [
      'a poll without a question',
      { poll: { options: ['a', 'b'] } },
      invalid('poll.name', 'required', 'poll.name is required'),
    ],
    [
      'a poll of one answer',
      { poll: { name: 'x', options: ['a'] } },
      invalid('poll.options', 'min', 'poll.options is not valid'),
    ],
    [
      'a poll with an answer twice',
      { poll: { name: 'x', options: ['a', 'a'] } },
      invalid('poll.options', 'format', 'poll.options is not valid'),
    ],
    [
      'more choices than answers',
      { poll: { name: 'x', options: ['a', 'b'], selectable: 3 } },
      invalid('poll.selectable', 'format', 'poll.selectable is not valid'),
    ],
    [
      'a reaction to nothing',
      { reaction: { emoji: '👍' } },
      invalid('reaction.id', 'required', 'reaction.id is required'),
    ],
    [
      'a reaction of nothing',
      { reaction: { id: 'x' } },
      invalid('reaction.emoji', 'required', 'reaction.emoji is required'),
    ],
    [
      'a mention that is no number',
      { text: 'x', mentions: ['Budi'] },
      invalid('mentions', 'number_format', 'number format not valid'),
    ],
  ])('not %s', async (_, data, expected) => {
    expect(await send(data)).toEqual(expected);
  });

  it('takes another poll under the same pesan_id for another message', async () => {
    await send({ poll }, 'C-POLL');
    expect(await send({ poll }, 'C-POLL')).toMatchObject({
      status: 200,
      body: { message: 'message already accepted' },
    });
    expect(await send({ poll: { ...poll, options: ['41', '42'] } }, 'C-POLL')).toMatchObject({
      status: 422,
      body: { message: 'pesan_id already used' },
    });
  });
});

describe('what a customer does', () => {
  const customer = (content: object) =>
    gateway.client.data<{ id: string }>(gateway.client.post('/sim/messages', { from: BUDI, to: 'dev1', ...content }));

  it('reaches the receiver as one of six kinds, whatever it is', async () => {
    await customer({ text: 'halo' });
    await customer({ text: 'lihat https://toko.example/sepatu ya' });
    await customer({ location: { latitude: -6.2, longitude: 106.8 } });
    await customer({ contact: { name: 'Joko', phone: '628129999999' } });
    await customer({ poll: { name: 'Jadi?', options: ['ya', 'tidak'] } });
    const fields = await callbacks(5);
    expect(fields.map(({ type, text, matchedText }) => [type, text, matchedText])).toEqual([
      ['chat', 'halo', undefined],
      ['extendedtext', 'lihat https://toko.example/sepatu ya', 'https://toko.example/sepatu'],
      ['chat', undefined, undefined],
      ['chat', 'Joko', undefined],
      ['chat', 'Jadi?', undefined],
    ]);
  });

  it('as a reaction is told to sockets, and to a receiver that wants it as its emoji, but not when taken back', async () => {
    const { id } = await customer({ reaction: { id: '3EB0AA', emoji: '❤️' } });
    const { id: back } = await customer({ reaction: { id: '3EB0AA' } });
    const { id: after } = await customer({ text: 'sudah' });
    const fields = await callbacks(2);
    expect(fields.map((each) => [each.id, each.type, each.text])).toEqual([
      [id, 'chat', '❤️'],
      [after, 'chat', 'sudah'],
    ]);
    expect(JSON.parse(fields[0]?.rawMessage ?? '')).toEqual({ reaction: { id: '3EB0AA', emoji: '❤️' } });
    const event = { instanceID: 'dev1', number: JID, fromMe: false, name: 'Budi', timestamp: expect.any(Number) };
    await until(
      () => heard.filter((each) => each.event === 'messageReaction').length,
      (count) => count === 2,
    );
    expect(heard.filter((each) => each.event === 'messageReaction').map(({ payload }) => payload)).toEqual([
      { ...event, id, reaction: { id: '3EB0AA', emoji: '❤️' } },
      { ...event, id: back, reaction: { id: '3EB0AA', emoji: '' } },
    ]);
  });

  it('as a vote or a deletion is told to sockets only', async () => {
    await customer({ vote: { id: '3EB0BB', options: ['42'] } });
    await customer({ revoke_id: '3ACC' });
    await customer({ text: 'cukup' });
    expect((await callbacks(1)).map(({ text }) => text)).toEqual(['cukup']);
    const told = (name: string) => heard.filter(({ event }) => event === name).map(({ payload }) => payload);
    await until(
      () => told('pollVote').length + told('messageRevoked').length,
      (count) => count === 2,
    );
    expect(told('pollVote')).toEqual([
      { instanceID: 'dev1', number: JID, fromMe: false, id: '3EB0BB', options: ['42'] },
    ]);
    expect(told('messageRevoked')).toEqual([{ instanceID: 'dev1', number: JID, fromMe: false, id: '3ACC' }]);
  });
});
