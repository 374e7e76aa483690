import { Rejected, UpstreamFailed } from '@platform/errors';
import { httpClient } from '@platform/http';
import { useForEach } from '@platform/testing';
import { httpChatMessages } from './chat.messages';
import { chatMessagesContract } from './chat.messages.contract';
import { startFakeMessages } from './chat.messages.fake';

const fake = useForEach(() => startFakeMessages('628120000009'));
const http = useForEach(() => httpClient('chat-backend', fake.url));
const tokens = { name: 'tokens', for: async () => 'a token' };
const message = { storeId: 'S1', phone: '628120000001', text: 'Halo', id: 'm1' };

describe('the fake of chat-backend', () =>
  chatMessagesContract(() => ({ client: httpChatMessages(http, tokens), storeId: 'S1', phone: '628120000001' })));

describe('a message', () => {
  it("goes out by the device of the customer's own chat, else by that of the store's newest", async () => {
    const client = httpChatMessages(http, tokens);
    await client.send(message);
    await client.send({ ...message, phone: '628120000009', id: 'm2' });
    expect(fake.messages()).toEqual([
      { nohp: '628120000001', instance: 'dev1', team: '3', type: 'chat', pesan: 'Halo', pesan_id: 'm1' },
      { nohp: '628120000009', instance: 'dev2', team: '7', type: 'chat', pesan: 'Halo', pesan_id: 'm2' },
    ]);
  });

  it('to somebody who has not written goes out by a connected device of the store', async () => {
    const client = httpChatMessages(http, tokens, async (storeId) => ({ instance: `dev of ${storeId}`, team: '5' }));
    await client.send(message);
    await client.send({ ...message, phone: '628120000009', id: 'm2' });
    expect(fake.messages().map(({ nohp, instance, team }) => [nohp, instance, team])).toEqual([
      ['628120000001', 'dev of S1', '5'],
      ['628120000009', 'dev2', '7'],
    ]);
  });

  it('whose device is logged out goes out by a connected one, or waits for it where there is none', async () => {
    const isOut = async (instance: string) => instance === 'dev2';
    const connected = async () => ({ instance: 'dev3', team: '5' });
    const known = { ...message, phone: '628120000009' };
    await httpChatMessages(http, tokens, connected, isOut).send(known);
    await httpChatMessages(http, tokens, undefined, isOut).send({ ...known, id: 'm2' });
    await httpChatMessages(http, tokens, connected).send({ ...known, id: 'm3' });
    expect(fake.messages().map(({ pesan_id, instance, team }) => [pesan_id, instance, team])).toEqual([
      ['m1', 'dev3', '5'],
      ['m2', 'dev2', '7'],
      ['m3', 'dev2', '7'],
    ]);
  });

  it('of a store without a device and a chat is refused for good', async () => {
    fake.state.mood = 'silent-store';
    await expect(httpChatMessages(http, tokens).send(message)).rejects.toBeInstanceOf(Rejected);
    expect(fake.messages()).toEqual([]);
  });

  it.each(['device_not_found', 'team_not_found', 'forbidden_team', 'chat_not_found', 'user_not_found'])(
    'that is refused with %s, as 200, is refused for good',
    async (code) => {
      fake.state.refuses.dev1 = code;
      const failure: unknown = await httpChatMessages(http, tokens)
        .send(message)
        .catch((thrown: unknown) => thrown);
      expect([failure instanceof Rejected, (failure as Rejected).code]).toEqual([true, code]);
    },
  );

  it.each(['device_offline', 'chat_busy', 'internal'])('that is refused with %s can be sent later', async (code) => {
    fake.state.refuses.dev1 = code;
    await expect(httpChatMessages(http, tokens).send(message)).rejects.toBeInstanceOf(UpstreamFailed);
  });

  it('that was sent under its id is not refused', async () => {
    fake.state.refuses.dev1 = 'duplicate';
    await expect(httpChatMessages(http, tokens).send(message)).resolves.toBeUndefined();
  });

  it.each(['device_not_found', 'team_not_found'])(
    'by a line that answers %s goes out by a connected device, tried once',
    async (code) => {
      fake.state.refuses.dev2 = code;
      const client = httpChatMessages(http, tokens, async () => ({ instance: 'dev3', team: '5' }));
      await client.send({ ...message, phone: '628120000009' });
      expect(fake.messages().map(({ instance, team }) => [instance, team])).toEqual([['dev3', '5']]);
      fake.state.refuses.dev3 = code;
      await expect(client.send({ ...message, phone: '628120000009', id: 'm2' })).rejects.toBeInstanceOf(Rejected);
    },
  );
});
