import { Rejected } from '@platform/errors';
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

  it('of a store without a chat is refused for good', async () => {
    fake.state.mood = 'silent-store';
    await expect(httpChatMessages(http, tokens).send(message)).rejects.toBeInstanceOf(Rejected);
    expect(fake.messages()).toEqual([]);
  });
});
