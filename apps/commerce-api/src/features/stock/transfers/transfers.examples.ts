import { onlyPage, succeeds } from '../../../examples';

const variant_id = 'd34172d1-eebf-56de-8cd2-a7a15cabb530';
const places = {
  from_id: '0199f7a0-0000-7000-8000-000000000101',
  to_id: '0199f7a0-0000-7000-8000-000000000111',
};
const sent = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000112', ...places, status: 'in_transit' },
  ...{ lines: [{ variant_id, qty: 5, received: null }], created_at: '2026-03-01T08:00:00.000Z' },
};
const received = { ...sent, status: 'received', lines: [{ variant_id, qty: 5, received: 4 }] };

export const transferExamples = {
  send: succeeds('five pieces', sent, {
    status: 201,
    message: 'Transfer created',
    request: { ...places, lines: [{ variant_id, qty: 5 }] },
  }),
  list: succeeds('what is on its way', [sent], { meta: onlyPage(1) }),
  receive: succeeds('one piece did not come', received, {
    message: 'Transfer received',
    request: { lines: [{ variant_id, received: 4 }] },
  }),
} as const;
