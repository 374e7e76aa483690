import type { Example } from '@platform/http';

export const getNotifExamples: readonly Example[] = [
  { summary: 'none', request: {}, status: 200, response: { result: true, data: [], unread: 0, next_cursor: null } },
];

export const getTotalnotifExamples: readonly Example[] = [
  {
    summary: 'none',
    request: {},
    status: 200,
    response: { result: true, data: { total: 0, unread: 0 }, total: 0 },
  },
];

export const unknownNotificationExamples: readonly Example[] = [
  {
    summary: 'no such notification',
    request: { notifId: 'S1.none' },
    status: 200,
    response: { result: false, message: 'notifikasi tidak ditemukan', code: 'notif_not_found' },
  },
];

export const readallNotifExamples: readonly Example[] = [
  {
    summary: 'none',
    request: {},
    status: 200,
    response: { result: true, message: 'success read all', data: { updated: 0 } },
  },
];
