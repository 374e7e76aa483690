import { httpClient } from '@platform/http';
import { useForEach } from '@platform/testing';
import { httpBotNotices, type PaymentNotice } from './bot.notice';
import { noticeContract } from './bot.notice.contract';
import { startFakeBot } from './bot.notice.fake';

const notice = (orderNumber: string): PaymentNotice => ({
  ...{ idEvent: `bot:${orderNumber}`, orderNumber, idStore: 'S1', amount: 30_000, currency: 'IDR' },
  ...{ paidAt: '2026-03-01T08:00:00.000Z', provider: 'a' },
});
const OURS = notice('INV-261120-ABC234');
const OTHER = notice('INV-261120-ABC235');
const bot = useForEach(() =>
  startFakeBot(
    new Map([
      [OURS.orderNumber, true],
      [OTHER.orderNumber, false],
    ]),
  ),
);
const http = useForEach(() => httpClient('bot-engine', bot.url));
const notices = (timeoutMs?: number) => httpBotNotices(http, { name: 'tokens', for: async () => 'a token' }, timeoutMs);

describe('the fake of bot-engine', () => {
  noticeContract(() => ({ notices: notices(), ofBot: OURS, ofOther: OTHER }));
});

describe('a notice that was not answered', () => {
  it('is for later, after the time that the bot names', async () => {
    bot.state.mood = 'busy';
    const reason = expect.any(String) as string;
    expect(await notices().tell(OURS)).toEqual({ kind: 'later', afterSeconds: 5, reason });
  });

  it.each(['hang', 'cut'] as const)('is for later when the bot does %s', async (mood) => {
    bot.state.mood = mood;
    expect(await notices(300).tell(OURS)).toMatchObject({ kind: 'later', afterSeconds: undefined });
  });
});
