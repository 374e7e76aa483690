import { succeeds } from '../../../examples';

const proof = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000511', order_id: '0199f7a0-0000-7000-8000-000000000202' },
  media: {
    ...{ id: '0199f7a0-0000-7000-8000-000000000512', name: 'transfer.jpg', mime: 'image/jpeg', bytes: 48213 },
    ...{ url: null, width: null, height: null, purpose: 'proof', refs: 1, created_at: '2026-03-01T08:00:00.000Z' },
  },
  ...{ amount: 450_000, bank: 'BCA', status: 'pending', reviewer: null, note: null },
  created_at: '2026-03-01T08:00:00.000Z',
};

export const proofExamples = {
  attach: succeeds('a picture of a transfer', proof, {
    ...{ status: 201, message: 'Payment proof created', request: { amount: 450_000, bank: 'BCA' } },
  }),
  review: succeeds(
    'the money came in',
    { ...proof, status: 'approved', reviewer: 'u1' },
    { message: 'Payment proof updated', request: { proof_id: proof.id, decision: 'approve' } },
  ),
} as const;
