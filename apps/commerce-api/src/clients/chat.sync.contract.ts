import type { ChatSyncClient } from './chat.sync';
import { isRefused } from './chat.sync';

/** What this service relies on at chat-backend; runs on the fake here, and in tools/stack on the service itself. `nohp` is nobody's yet. */
export const chatSyncContract = (subjectOf: () => { readonly client: ChatSyncClient; readonly nohp: string }): void => {
  const push = (updated_at: number, more: object = {}) => {
    const { client, nohp } = subjectOf();
    return client.push({ customers: [{ store_id: 'S1', nohp, updated_at, ...more }] });
  };
  const news = { applied: 1, skipped: 0 };
  const known = { applied: 0, skipped: 1 };

  it('chat-backend takes a row once, and passes over what is not above the version that it has seen', async () => {
    expect([await push(10, { nama: 'Budi' }), await push(10), await push(9), await push(11)]).toEqual([
      ...[news, known, known, news],
    ]);
    expect([await push(12, { deleted: true }), await push(11), await push(13)]).toEqual([news, known, news]);
  });

  it('chat-backend refuses a row that it will never take', async () => {
    const failure: unknown = await push(20, { nama: 'x'.repeat(300) }).catch((thrown: unknown) => thrown);
    expect(isRefused(failure)).toBe(true);
  });
};
