import type { Example } from '@platform/http';

export const changeTicketStatusExamples: readonly Example[] = [
  {
    summary: 'no such ticket',
    request: { ticketId: 'S1.none', status: 'resolved' },
    status: 200,
    response: { result: false, message: 'ticket tidak ditemukan', code: 'ticket_not_found' },
  },
];
