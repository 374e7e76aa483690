import { expectNoSeqScan, explain } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { billedStore } from '../billing.fixture';
import { AI_REPLIES, aiRepliesOf } from './ai-replies';

const commerce = useCommerce('2026-01-31T10:00:00.000Z');
const at = (storeId: string, instant: string) => aiRepliesOf(commerce.database, storeId, new Date(instant));
const month = (reply_limit: number | null, period_start: string, period_end: string) => ({
  ...{ reply_limit, period_start: `${period_start}:00:00.000Z`, period_end: `${period_end}:00:00.000Z` },
});

describe('what the bot may answer for a store', () => {
  it('is counted by months from the day on which its plan was paid, also of a plan paid by the year', async () => {
    const { storeId, subscribed } = await billedStore(commerce);
    const limits = `UPDATE plan SET limits = limits || '{"ai_replies": 500}' WHERE code = 'growth'`;
    await commerce.database.query(limits);
    await subscribed('growth', 'yearly');
    expect(await at(storeId, '2026-02-01T00:00:00Z')).toEqual(month(500, '2026-01-31T10', '2026-02-28T10'));
    expect(await at(storeId, '2026-03-01T10:00:00Z')).toEqual(month(500, '2026-02-28T10', '2026-03-31T10'));
    expect(await at(storeId, '2027-01-30T10:00:00Z')).toEqual(month(500, '2026-12-31T10', '2027-01-31T10'));
    // Unpaid since: its last months go on as they were
    expect(await at(storeId, '2027-02-03T10:00:00Z')).toEqual(month(500, '2027-01-31T10', '2027-02-28T10'));
  });

  it('begins anew at the hour at which its month ends, also where that has fewer days than the one before', async () => {
    const { storeId, subscribed } = await billedStore(commerce);
    await subscribed('growth', 'yearly');
    const endAt = async (instant: string) => (await at(storeId, instant))?.period_end;
    expect(await endAt('2026-02-28T09:59:59Z')).toBe('2026-02-28T10:00:00.000Z');
    for (const instant of ['2026-02-28T10:00:00Z', '2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z'])
      expect([instant, await endAt(instant)]).toEqual([instant, '2026-03-31T10:00:00.000Z']);
    expect(await endAt('2026-04-30T12:00:00Z')).toBe('2026-05-31T10:00:00.000Z');
  });

  it('is any number in the calendar month of a store without a plan, and nothing of an unknown store', async () => {
    const { storeId } = await billedStore(commerce);
    expect(await at(storeId, '2026-03-31T18:00:00Z')).toEqual(month(null, '2026-03-31T17', '2026-04-30T17'));
    expect(await at('nowhere', '2026-03-31T18:00:00Z')).toBeUndefined();
  });

  it('is found by the indexes of the store', async () =>
    expectNoSeqScan(await explain(commerce.database, AI_REPLIES, ['S1', new Date()]), 'store', 'subscription'));
});
