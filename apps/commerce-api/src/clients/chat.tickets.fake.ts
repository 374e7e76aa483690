import type { IncomingMessage } from 'node:http';

/** What would be markup, turn the line round, or be too long for its place. */
const HOSTILE = `<script>alert(1)</script>-"Sepatu"-\u202eEdisi-Ulang-Tahun-Kesepuluh-Warna-Hitam-Ukuran-Empat-Puluh-Dua`;
const WHEN = '2026-03-01 08:00';
/** Of the ticket that every store has at the fake. */
export const FAKE_TICKET = '0199f7a0-0000-7000-8000-0000000000e1';

const ticketOf = (storeId: string) => ({
  ...{ ticketId: `${storeId}.${FAKE_TICKET}`, nomor: 'T-000001', nohp: '6281234567890', orderId: null },
  ...{ judul: HOSTILE, isi: `${HOSTILE} `.repeat(4), prioritas: 'urgent', status: 'on_progress', user_id: null },
  ...{ rating: 5, feedback: HOSTILE, waktu: WHEN },
  balasan: [{ balasanId: 'r1', waktu: WHEN, user_id: null, user_nama: HOSTILE, pesan: HOSTILE, url: 'javascript:x' }],
});

/** What chat-backend answers to whoever looks at tickets; undefined: something else was asked. */
export const fakeTickets = ({ url = '/', method }: IncomingMessage): object | undefined => {
  const { pathname, searchParams } = new URL(url, 'http://chat');
  if (method !== 'GET' || !pathname.startsWith('/internal/tickets')) return undefined;
  const ticket = ticketOf(searchParams.get('store_id') ?? '');
  const data = pathname === '/internal/tickets' ? [ticket] : ticket;
  return { result: true, message: 'success', data, next_cursor: 'more' };
};
