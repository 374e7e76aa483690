import type { Example } from '@platform/http';

const IDS = { idUser: '6281234567890', idAgent: 'A1', idStore: 'S1' };

const ANSWER = 'Ada kak, Sepatu Lari Nusa Hitam 42 Rp250.000, stok 7.';

export const chatbotExamples: readonly Example[] = [
  {
    summary: 'a question about a product',
    request: { ...IDS, message: 'kak sepatu lari hitam ada?', idMessage: '3EB0A1', instanceID: 'dev1', team: '3' },
    status: 201,
    response: {
      statusCode: 201,
      ...IDS,
      data: {
        answer: [ANSWER],
        images: ['https://cdn.example/s1.jpg'],
        history: [
          { role: 'user', content: 'kak sepatu lari hitam ada?' },
          {
            role: 'assistant',
            content: ANSWER,
          },
        ],
      },
    },
  },
];
