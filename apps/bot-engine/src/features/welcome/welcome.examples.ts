import type { Example } from '@platform/http';

export const welcomeExamples: readonly Example[] = [
  {
    summary: 'a greeting for a customer',
    request: { store_id: 'S1', agent_id: 'A1', customer_name: 'Budi', tone: 'ramah', max_chars: 200 },
    status: 201,
    response: {
      status: 201,
      message: 'success',
      data: {
        welcome_message: 'Halo kak Budi, selamat datang di Toko Nusa! Kami buka 09.00-21.00. Ada yang bisa kami bantu?',
        cost_request: '$0.000032',
      },
    },
  },
];
