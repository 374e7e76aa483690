import { until } from '@platform/testing';
import { OWNER_ID } from './clients/store-auth.fake';
import type { Made, Story } from './walk.fixture';

const SPAN = { from: '2026-03-01', to: '2026-03-31' };

/** How the people of the shop answered their chats, as chat-backend tells. */
export const CHATS = {
  chats_opened: 14,
  agents: [{ user_id: OWNER_ID, user_nama: 'Sari', load: 2, handled: 9, finished: 7, median_first_response: 95 }],
};

const dashboard = async ({ tell }: Story): Promise<void> => {
  await tell('GET /api/dashboard/summary');
  await tell('GET /api/dashboard/sales-chart', { days: '7' });
  await tell('GET /api/dashboard/top-products', { days: '30', limit: 3 });
  await tell('GET /api/dashboard/alerts');
};

/** What has worked. */
export const lookBack = async (story: Story): Promise<void> => {
  const { tell, ask } = story;
  await dashboard(story);
  await tell('GET /api/report/sales', { ...SPAN, group: 'channel' });
  for (const report of ['products', 'payments', 'agents']) await tell(`GET /api/report/${report}`, SPAN);
  const { id } = await tell('POST /api/report/export', { ...SPAN, report: 'products', format: 'csv' });
  const state = () => ask<Made & { state: string }>('GET /api/report/export/{id}', undefined, id);
  await until(async () => (await state()).state === 'done');
  await tell('GET /api/report/export/{id}', undefined, id);
};
