import type { Claimed, CreditTaker } from './credits.fake';

interface Subject {
  readonly taker: CreditTaker;
  /** A new credit of this service, and what it is for. */
  credit(): Promise<{ readonly text: string; readonly claimed: Claimed }>;
  /** The same claims under another key, and under an algorithm that anybody can sign with. */
  forged(text: string): Promise<readonly string[]>;
}

/** What a charged wallet relies on at ads-api; runs on the fake here. */
export const creditsContract = (subjectOf: () => Subject): void => {
  it('ads-api takes a credit once, of twenty that come at once too', async () => {
    const { taker, credit } = subjectOf();
    const { text, claimed } = await credit();
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => taker.take(text, claimed)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    ['application', { application_id: '0199f7a0-0000-7000-8000-00000000beef' }],
    ['account', { account_id: '999' }],
    ['amount', { amount: 150_001 }],
    ['currency', { currency: 'USD' }],
  ])('ads-api takes no credit for another %s', async (_, more) => {
    const { taker, credit } = subjectOf();
    const { text, claimed } = await credit();
    await expect(taker.take(text, { ...claimed, ...more })).rejects.toThrow();
    await taker.take(text, claimed);
  });

  it('ads-api takes nothing that this service has not signed', async () => {
    const { taker, credit, forged } = subjectOf();
    const { text, claimed } = await credit();
    for (const each of await forged(text)) await expect(taker.take(each, claimed)).rejects.toThrow();
  });
};
