import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Flag, Int, List, Nested, Text } from '@platform/validation';
import { priorities } from '../escalation/public';
import { TicketHistoryStruct, ticketStatuses, TicketStruct } from './ticket.dto';

const none = { nullable: true } as const;
const STORE = { max: 36, example: 'S1' } as const;
const REPLY_ID = '0192f3a0-0000-7000-8000-0000000000aa';

export class StoreQuery {
  @Text(STORE) store_id!: string;
}

/** For whom commerce-api asks; without them it asks for whoever sees all of the store. */
export class ViewedStore extends StoreQuery {
  @Text({ optional: true, max: 64, description: 'a user who does not see all chats: sees and does what they may' })
  viewer_id?: string;
  @Text({ optional: true, max: 4000, example: '3,7', description: 'the teams of `viewer_id`, with commas' })
  viewer_teams?: string;
}

export class TicketQuery extends ViewedStore {
  @Choice(ticketStatuses, { optional: true }) status?: (typeof ticketStatuses)[number];
  @Choice(priorities, { optional: true }) prioritas?: (typeof priorities)[number];
  @Text({ optional: true, max: 64 }) user_id?: string;
  @Text({ optional: true, max: LONGEST_ADDRESS }) nohp?: string;
  @Text({ optional: true, max: 100, description: 'part of number, title, text or customer' }) q?: string;
  @Text({ optional: true, max: 300 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class OpenTicket extends ViewedStore {
  @Text({ max: LONGEST_ADDRESS, example: '6281234567890' }) nohp!: string;
  @Text({ max: 150, visible: true, example: 'Retur sepatu' }) judul!: string;
  @Text({ max: 5000, visible: true, example: 'Salah ukuran' }) isi!: string;
  @Text({ optional: true, max: 64 }) kategori?: string;
  @Choice(priorities, { optional: true, description: 'medium unless given' }) prioritas?: (typeof priorities)[number];
  @Text({ optional: true, max: 64 }) orderId?: string;
  @Text({ optional: true, max: 64, description: 'who is to work on it' }) user_id?: string;
}

export class ReplyToTicket extends ViewedStore {
  @Text({ format: 'uuid', example: REPLY_ID, description: 'chosen by the caller: the same again is the same reply' })
  balasanId!: string;
  @Text({ max: 4096, visible: true, example: 'Kami kirim gantinya' }) pesan!: string;
  @Text({ optional: true, format: 'url', max: 2048 }) url?: string;
  @Text({ optional: true, max: 64, description: 'who replies' }) user_id?: string;
  @Flag({ optional: true, description: 'also sent to the chat' }) kirim?: boolean;
}

export class AssignTicket extends ViewedStore {
  @Text({ max: 64, example: 'u-rina' }) user_id!: string;
}

export class RateTicket extends StoreQuery {
  @Int({ min: 1, max: 5, example: 5 }) rating!: number;
  @Text({ optional: true, max: 1000 }) feedback?: string;
}

export class TicketReplyStruct {
  @Text() balasanId!: string;
  @Text() waktu!: string;
  @Text(none) user_id!: string | null;
  @Text(none) user_nama!: string | null;
  @Text() pesan!: string;
  @Text(none) url!: string | null;
}

export class WholeTicketStruct extends TicketStruct {
  @List(() => TicketReplyStruct) balasan!: TicketReplyStruct[];
  @List(() => TicketHistoryStruct) history!: TicketHistoryStruct[];
}

class Answer {
  @Text({ example: 'success' }) message!: string;
}

export class TicketAnswer extends Answer {
  @Nested(() => TicketStruct) data!: TicketStruct;
}

export class WholeTicketAnswer extends Answer {
  @Nested(() => WholeTicketStruct) data!: WholeTicketStruct;
}

export class TicketList extends Answer {
  @List(() => TicketStruct) data!: TicketStruct[];
  @Text(none) next_cursor!: string | null;
}

export class TicketReplyAnswer extends Answer {
  @Nested(() => TicketReplyStruct) data!: TicketReplyStruct;
}
