import type { Example } from '@platform/http';

export const notifyNewMessageExamples: readonly Example[] = [
  {
    summary: 'a message',
    request: { idStore: '7', idUser: '6281234567890', idMessage: '3EB0A1', chatId: '7.c1', type: 'chat' },
    status: 200,
    response: 'Notification send to client',
  },
];
