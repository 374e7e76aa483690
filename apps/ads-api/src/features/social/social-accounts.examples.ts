import type { Example } from '@platform/http';
import { layerExamples } from '../handshake/public';

export const socialAccountsExamples: Example[] = [
  {
    summary: 'one connected account',
    status: 200,
    response: {
      status: true,
      message: 'success',
      data: [
        {
          id: '0199f7a0-0000-7000-8000-00000000000a',
          social_user_id: '1022334455',
          social_user_name: 'Sari',
          is_active: true,
          scopes: ['ads_management', 'business_management'],
          expires_at: '2026-05-01T00:00:00.000Z',
          inactive_reason: null,
          connected_at: '2026-03-01T00:00:00.000Z',
        },
      ],
    },
  },
  ...layerExamples,
];
