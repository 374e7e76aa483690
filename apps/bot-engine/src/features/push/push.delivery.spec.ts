import { silentLogger } from '@platform/runtime';
import type { Verdict } from '@platform/outbox';
import type { ChatClient } from '../../clients/chat.client';
import { pushDelivery } from './push.delivery';
import { escalationRow, noticeRow, type PushRow } from './push.rows';

const away: Verdict = { verdict: 'retry', reason: 'away', spend: true };
const answering = (verdict: Verdict): ChatClient => ({
  push: () => Promise.resolve({ verdict }),
  escalate: () => Promise.resolve({ verdict }),
});
const to = { storeId: 'S1', customer: '628120000001', instanceId: 'dev1', team: '3' };
const verdictOn = ({ kind, payload }: PushRow) =>
  pushDelivery(answering(away), silentLogger)(
    {
      ...{ id: '1', eventId: '01990000-0000-7000-8000-000000000001', lane: 'l', target: 't', kind: kind.name, payload },
      ...{ attempt: 1, failures: 0, triedSeconds: null, createdAt: new Date() },
    },
    new AbortController().signal,
  );

it.each([
  ['a text for an hour', noticeRow(to, { key: 'k', text: 'x', onlyIfOpen: true }), 3_600],
  ['a person who was promised for a day', escalationRow(to, 'run', { reason: 'complaint', summary: 'x' }), 86_400],
])('chat-backend that is away is waited for: %s', async (_, row, maxAgeSeconds) => {
  expect(await verdictOn(row)).toEqual({ ...away, maxAgeSeconds, settle: expect.any(Function) });
});
