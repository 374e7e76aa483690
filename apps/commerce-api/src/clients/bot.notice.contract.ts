import type { BotNotices, PaymentNotice } from './bot.notice';

export interface NoticeSubject {
  readonly notices: BotNotices;
  /** Paid, and taken by the bot in a chat. */
  readonly ofBot: PaymentNotice;
  /** Paid, and placed elsewhere. */
  readonly ofOther: PaymentNotice;
}

/** What this service relies on at bot-engine about payments; runs on the fake here, and in tools/stack on the service itself. */
export const noticeContract = (subjectOf: () => NoticeSubject): void => {
  it('the bot tells its buyer of a payment, and answers the same event again as the first time', async () => {
    const { notices, ofBot } = subjectOf();
    expect(await notices.tell(ofBot)).toEqual({ kind: 'told', notified: true });
    expect(await notices.tell(ofBot)).toEqual({ kind: 'told', notified: true });
  });

  it('the bot tells nobody of an order that it has not taken', async () => {
    const { notices, ofOther } = subjectOf();
    expect(await notices.tell(ofOther)).toEqual({ kind: 'told', notified: false });
  });

  it('the bot refuses an order that nobody knows, and a notice without its event', async () => {
    const { notices, ofBot } = subjectOf();
    const reason = expect.any(String) as string;
    const unknown = { ...ofBot, idEvent: 'bot:unknown', orderNumber: 'INV-261120-NOSUCH' };
    expect(await notices.tell(unknown)).toEqual({ kind: 'refused', reason });
    expect(await notices.tell({ ...ofBot, idEvent: '' })).toEqual({ kind: 'refused', reason });
  });
};
