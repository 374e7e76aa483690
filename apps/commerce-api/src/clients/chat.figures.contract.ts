import type { HandledChats } from './chat.handled';
import type { ChatFigures } from './chat.stats';

export interface FiguresSubject {
  readonly figures: ChatFigures;
  readonly handled: HandledChats;
  /** A store with one chat, opened between these days, which this user handles. */
  readonly storeId: string;
  readonly days: readonly [from: string, to: string];
  readonly userId: string;
  readonly phone: string;
}

/** What this service relies on at chat-backend about whose chats are whose; runs on the fakes and on the service itself. */
export const chatFiguresContract = (subjectOf: () => Promise<FiguresSubject>): void => {
  it('chat-backend tells whose chats a user handles, and of somebody without any that there are none', async () => {
    const { handled, storeId, userId, phone } = await subjectOf();
    expect(await handled.of(storeId, userId)).toEqual([phone]);
    expect(await handled.of(storeId, 'nobody')).toEqual([]);
  });

  it('chat-backend counts the chats of some days, and what each user has done with them', async () => {
    const { figures, storeId, days, userId } = await subjectOf();
    const { chats_opened, agents } = await figures.of(storeId, ...days);
    expect([chats_opened, agents.find(({ user_id }) => user_id === userId)]).toEqual([
      1,
      expect.objectContaining({ user_id: userId, user_nama: expect.any(String), handled: 1, finished: 0 }),
    ]);
  });
};
