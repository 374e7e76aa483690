import type { Example } from '@platform/http';

const QUESTION = 'jam buka?';
const ANSWER = 'Toko buka 09.00-21.00.';

export const playgroundExamples: readonly Example[] = [
  {
    summary: 'a prompt that is tried',
    request: {
      store_id: 'S1',
      agent_id: 'A1',
      prompt: 'Kamu adalah Nusa. Toko buka 09.00-21.00.',
      question: QUESTION,
      conversations: [
        { role: 'customer', content: 'halo' },
        { role: 'bot', content: 'Halo kak, ada yang bisa kami bantu?' },
      ],
    },
    status: 201,
    response: {
      statusCode: 201,
      idAgent: 'A1',
      idStore: 'S1',
      data: {
        question: QUESTION,
        answer: ANSWER,
        history: [
          { role: 'customer', content: 'halo' },
          { role: 'bot', content: 'Halo kak, ada yang bisa kami bantu?' },
          { role: 'user', content: QUESTION },
          { role: 'assistant', content: ANSWER },
        ],
      },
    },
  },
];
