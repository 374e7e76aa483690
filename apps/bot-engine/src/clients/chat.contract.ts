import { uuidv7 } from '@platform/runtime';
import type { ChatAddress, ChatClient, PushedBubble, PushVerdict } from './chat.client';

export interface ChatSubject {
  readonly client: ChatClient;
  /** A new chat of the store, in this status. */
  newChat(status: 'open' | 'handle' | 'finish'): Promise<ChatAddress>;
  /** What the bot said in the chat, oldest first: texts, and `picture` for each picture. */
  said(chat: ChatAddress): Promise<readonly string[]>;
  /** What was asked of a person in the chat. */
  asked(chat: ChatAddress): Promise<readonly { readonly reason: string; readonly priority: string }[]>;
  /** A picture that this service may name, at one of our own services' addresses. */
  readonly picture: string;
}

const { signal } = new AbortController();
const DONE: PushVerdict = { verdict: { verdict: 'done' } };
const DROPPED: PushVerdict = { verdict: { verdict: 'done', outcome: 'dropped' }, dropped: true };
const dead = (code: string): PushVerdict => ({
  verdict: { verdict: 'dead', reason: expect.stringContaining(code) as string },
});

const bubble = (chat: ChatAddress, more: Partial<PushedBubble> = {}): PushedBubble => ({
  ...{ ...chat, id: `bot-${uuidv7()}-0`, content: { text: 'Ada kak' }, onlyIfOpen: true },
  ...more,
});

type SubjectOf = () => ChatSubject;

const pushes = (subjectOf: SubjectOf): void => {
  it('chat-backend stores a text and a picture once, however often they are pushed', async () => {
    const { client, newChat, said, picture } = subjectOf();
    const chat = await newChat('open');
    const [text, image] = [bubble(chat), bubble(chat, { content: { picture } })];
    expect(await client.push(text, signal)).toEqual(DONE);
    for (const each of [image, text, image]) expect(await client.push(each, signal)).toEqual(DONE);
    const again = await Promise.all([text, text, image].map((each) => client.push(each, signal)));
    expect(again).toEqual([DONE, DONE, DONE]);
    expect(await said(chat)).toEqual(['Ada kak', 'picture']);
  });

  it('chat-backend says that an id stands in another chat', async () => {
    const { client, newChat, said } = subjectOf();
    const [chat, other] = [await newChat('open'), await newChat('open')];
    const first = bubble(chat);
    expect(await client.push(first, signal)).toEqual(DONE);
    expect(await client.push({ ...first, ...other }, signal)).toEqual(dead('duplicate'));
    expect(await said(other)).toEqual([]);
  });

  it('chat-backend drops what is only for an open chat, says so each time, and sends what is for any', async () => {
    const { client, newChat, said } = subjectOf();
    const chat = await newChat('handle');
    const answer = bubble(chat);
    expect(await client.push(answer, signal)).toEqual(DROPPED);
    expect(await client.push(answer, signal)).toEqual(DROPPED);
    const notice = bubble(chat, { content: { text: 'Pembayaran sudah kami terima' }, onlyIfOpen: false });
    expect(await client.push(notice, signal)).toEqual(DONE);
    expect(await said(chat)).toEqual(['Pembayaran sudah kami terima']);
  });
};

const refusals = (subjectOf: SubjectOf): void => {
  it('chat-backend knows no chat, device or team that there is none of, and takes no empty text', async () => {
    const { client, newChat } = subjectOf();
    const chat = await newChat('open');
    const { chatId: _, ...named } = chat;
    const push = (to: Partial<ChatAddress>, more: Partial<PushedBubble> = {}) =>
      client.push(bubble({ ...named, ...to }, more), signal);
    expect(await push({ customer: '6289999999999' })).toEqual(dead('chat_not_found'));
    expect(await push({ instanceId: 'nowhere' })).toEqual(dead('device_not_found'));
    expect(await push({ team: 'nobody' })).toEqual(dead('team_not_found'));
    expect(await push({}, { content: { text: '' } })).toEqual(dead('chat-backend refuses'));
  });

  it('chat-backend asks a person once, with reason and priority, and no one for a chat that is over', async () => {
    const { client, newChat, asked } = subjectOf();
    const [chat, over] = [await newChat('open'), await newChat('finish')];
    const wish = { reason: 'complaint: paket rusak\nPesanan INV-1', priority: 'high' } as const;
    expect(await client.escalate({ ...chat, ...wish }, signal)).toEqual(DONE);
    expect(await client.escalate({ ...chat, ...wish }, signal)).toEqual(DONE);
    expect(await asked(chat)).toEqual([wish]);
    expect(await client.escalate({ ...over, ...wish }, signal)).toEqual(DROPPED);
    expect(await asked(over)).toEqual([]);
  });
};

/** What this service relies on at chat-backend; runs on the fake and on the service itself. */
export const chatContract = (subjectOf: SubjectOf): void => {
  pushes(subjectOf);
  refusals(subjectOf);
};
