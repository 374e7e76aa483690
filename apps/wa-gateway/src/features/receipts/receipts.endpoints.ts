import { endpoint } from '../../endpoint';
import { MarkRead, MarkReadReply, Typing, TypingReply } from './receipts.dto';
import type { ReceiptsService } from './receipts.service';

const routes = { tag: 'messaging', guard: 'perimeter' } as const;

const required = (field: string) => ({
  success: false,
  message: `${field} is required`,
  error: {
    code: 'VALIDATION',
    retryable: false,
    errors: [{ field, tag: 'required', message: `${field} is required` }],
  },
});

export const receiptEndpoints = (receipts: ReceiptsService) => [
  endpoint({
    ...routes,
    post: '/api/mark-read',
    summary: 'Tells writers that their messages were read',
    body: MarkRead,
    reply: MarkReadReply,
    examples: [{ summary: 'no chat', request: {}, status: 422, response: required('number') }],
    handle: async ({ body }) => ({ message: 'success mark read', data: await receipts.markRead(body) }),
  }),
  endpoint({
    ...routes,
    post: '/api/typing',
    summary: 'Shows, or stops showing, that somebody is typing',
    body: Typing,
    reply: TypingReply,
    examples: [
      { summary: 'neither on nor off', request: { number: '08123456789' }, status: 422, response: required('on') },
    ],
    handle: async ({ body }) => ({ message: 'success typing', data: await receipts.typing(body) }),
  }),
];
