import { Unavailable } from '@platform/errors';
import { httpClient } from '@platform/http';
import { useForEach } from '@platform/testing';
import { httpChat, noChat } from './chat';
import type { ChatAddress, PushedBubble } from './chat.client';
import { chatContract } from './chat.contract';
import { startFakeChat } from './chat.fake';

const fake = useForEach(() => startFakeChat({ anyChat: false }));
const http = useForEach(() => httpClient('chat-backend', fake.url));
const tokens = { name: 'tokens', for: async (audience: string, store?: string) => `${audience} ${store}` };
const client = () => httpChat(http, tokens);
const { signal } = new AbortController();

let customers = 0;
const newChat = async (status: 'open' | 'handle' | 'finish'): Promise<ChatAddress> => {
  const customer = `62812${String(++customers).padStart(7, '0')}`;
  fake.chats.push({ storeId: 'S1', instance: 'dev1', nohp: customer, status });
  return { storeId: 'S1', customer, instanceId: 'dev1', team: '3' };
};
const bubble = async (): Promise<PushedBubble> => ({
  ...(await newChat('open')),
  ...{ id: 'bot-r-0', content: { text: 'Ada kak' }, onlyIfOpen: true },
});
const later = (more: object) => ({
  verdict: 'retry',
  reason: expect.any(String),
  spend: true,
  ...more,
});

describe('the fake of chat-backend', () => {
  chatContract(() => ({
    ...{ client: client(), newChat, picture: 'http://commerce.internal/blob/S1/a.jpg' },
    said: async ({ customer }) =>
      fake.sent
        .filter(({ nohp }) => nohp === customer)
        .map(({ content }) => ('text' in content ? content.text : 'picture')),
    asked: async ({ customer }) =>
      fake.asked
        .filter(({ nohp }) => nohp === customer)
        .map(({ alasan: reason, prioritas: priority }) => ({ reason: reason.replaceAll('\r\n', '\n'), priority })),
  }));
});

describe('chat-backend', () => {
  it('is called with a token for the store', async () => {
    await client().push(await bubble(), signal);
    await client().escalate({ ...(await newChat('open')), storeId: 'S2', reason: 'x', priority: 'medium' }, signal);
    expect(fake.tokens).toEqual(['chat-backend S1', 'chat-backend S2']);
  });

  it.each([500, 502, 401, 404])('that answers %i is called again', async (status) => {
    fake.moods.push(status);
    expect(await client().push(await bubble(), signal)).toEqual({ verdict: later({ transport: true }) });
  });

  it('that has too many calls is called again when it says', async () => {
    fake.moods.push(429);
    expect(await client().push(await bubble(), signal)).toEqual({
      verdict: later({ afterSeconds: 5, transport: false }),
    });
  });

  it('that stored a text and did not answer is called again, and stores it once', async () => {
    const text = await bubble();
    fake.moods.push('late');
    expect(await client().push(text, AbortSignal.timeout(50))).toEqual({ verdict: later({ transport: true }) });
    expect(await client().push(text, signal)).toEqual({ verdict: { verdict: 'done' } });
    expect(fake.sent).toHaveLength(1);
  });

  it('is called again when there is no token, and never when it has no address', async () => {
    const none = { name: 'tokens', for: () => Promise.reject(new Unavailable('store-auth is away')) };
    const push = httpChat(http, none).push(await bubble(), signal);
    expect(await push).toEqual({ verdict: later({ afterSeconds: 5, transport: false }) });
    const dead = { verdict: { verdict: 'dead', reason: 'CHAT_URL is not set' } };
    expect(await noChat().push(await bubble(), signal)).toEqual(dead);
  });

  it.each([{ instanceId: 'nowhere' }, { team: 'nobody' }])(
    'that does not know %o yet is asked for a person again, because one was promised',
    async (unknown) => {
      const wish = { ...(await newChat('open')), ...unknown, reason: 'x', priority: 'high' } as const;
      expect(await client().escalate(wish, signal)).toEqual({
        verdict: later({ transport: false, maxAgeSeconds: 900 }),
      });
    },
  );

  it('is told at most 1,000 characters of a reason, none of them half', async () => {
    await client().escalate({ ...(await newChat('open')), reason: '\u{1f600}'.repeat(1001), priority: 'high' }, signal);
    expect(fake.asked.at(-1)?.alasan).toBe('\u{1f600}'.repeat(1000));
  });
});
