import { succeeds } from '../../../examples';

export const sendingExamples = {
  send: succeeds(
    'by e-mail',
    {
      ...{ id: '0199f7a0-0000-7000-8000-000000000521', kind: 'invoice.send', state: 'queued' },
      ...{ progress: { done: 0, total: 1 }, errors: [], result: null, created_at: '2026-03-01T08:00:00.000Z' },
    },
    { status: 202, request: { channel: 'email' } },
  ),
} as const;
