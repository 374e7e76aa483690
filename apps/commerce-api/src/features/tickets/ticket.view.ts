import type { Database } from '@platform/data';
import type { Priority, TicketReply, TicketRow, TicketStatus } from './tickets.dto';

/** As chat-backend tells of one. */
export interface ChatTicket {
  readonly ticketId: string;
  readonly nomor: string;
  readonly nohp: string;
  readonly orderId: string | null;
  readonly judul: string;
  readonly isi: string;
  readonly prioritas: Priority;
  readonly status: TicketStatus;
  readonly user_id: string | null;
  readonly rating: number | null;
  readonly feedback: string | null;
  /** `YYYY-MM-DD HH:MM` where the store is. */
  readonly waktu: string;
}

export interface ChatReply {
  readonly balasanId: string;
  readonly waktu: string;
  readonly user_id: string | null;
  readonly user_nama: string | null;
  readonly pesan: string;
  readonly url: string | null;
}

/** Of every number the contact that it belongs to, of every time of the store the moment. */
const BESIDE = `
  SELECT (SELECT coalesce(json_object_agg(w, to_char(w::timestamp AT TIME ZONE s.timezone AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')), '{}')
      FROM unnest($2::text[]) w) AS moments,
    (SELECT coalesce(json_object_agg(p.phone, json_build_object('id', c.id, 'name', c.name)), '{}')
      FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id WHERE p.store_id = $1 AND p.phone = ANY ($3)) AS contacts
  FROM store s WHERE s.store_id = $1`;

interface Beside {
  readonly moments: Readonly<Record<string, string>>;
  readonly contacts: Readonly<Record<string, { readonly id: string; readonly name: string | null }>>;
}

/** What of our own rows goes with chat-backend's: one statement, however many there are. */
export const besideOf = async (
  sql: Pick<Database, 'prepared'>,
  storeId: string,
  times: readonly string[],
  phones: readonly string[],
): Promise<Beside> => {
  const distinct = [[...new Set(times)], [...new Set(phones)]];
  const [row] = await sql.prepared<Beside>('beside tickets', BESIDE, [storeId, ...distinct]);
  return row ?? { moments: {}, contacts: {} };
};

const momentOf = ({ moments }: Beside, time: string): string => moments[time] ?? new Date(0).toISOString();

export const shownTicket = (ticket: ChatTicket, beside: Beside): TicketRow => ({
  ...{ id: ticket.ticketId, number: ticket.nomor, subject: ticket.judul, body: ticket.isi },
  contact: { ...(beside.contacts[ticket.nohp] ?? { id: null, name: null }), phone: ticket.nohp },
  ...{ order_id: ticket.orderId, priority: ticket.prioritas, status: ticket.status, assignee: ticket.user_id },
  ...{ rating: ticket.rating, feedback: ticket.feedback, created_at: momentOf(beside, ticket.waktu) },
});

export const shownReply = (
  { balasanId, waktu, user_nama, user_id, pesan, url }: ChatReply,
  beside: Beside,
): TicketReply => ({
  ...{ id: balasanId, at: momentOf(beside, waktu), author: user_nama ?? user_id, text: pesan, media: url },
});
