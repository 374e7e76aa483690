import { Choice, Int, List, Nested, Text } from '@platform/validation';

const none = { nullable: true } as const;

export const ticketStatuses = ['open', 'on_progress', 'pending', 'resolved', 'closed'] as const;

export class TicketStruct {
  @Text({ example: 'S1.0192f3a0-0000-7000-8000-000000000000' }) ticketId!: string;
  @Text({ example: 'TKT-000001' }) nomor!: string;
  @Text(none) chatId!: string | null;
  @Text() nohp!: string;
  @Text(none) instance!: string | null;
  @Text(none) team!: string | null;
  @Text(none) customerId!: string | null;
  @Text(none) orderId!: string | null;
  @Text() judul!: string;
  @Text() isi!: string;
  @Text(none) kategori!: string | null;
  @Choice(['low', 'medium', 'high', 'urgent']) prioritas!: 'low' | 'medium' | 'high' | 'urgent';
  @Choice(ticketStatuses) status!: (typeof ticketStatuses)[number];
  @Text(none) user_id!: string | null;
  @Text(none) catatan!: string | null;
  @Int(none) rating!: number | null;
  @Text(none) feedback!: string | null;
  @Text() waktu!: string;
  @Text() updated_at!: string;
}

export class TicketHistoryStruct {
  @Text() historyId!: string;
  @Text() ticketId!: string;
  @Text({ example: 'status' }) event!: string;
  @Text(none) from_status!: string | null;
  @Text(none) to_status!: string | null;
  @Text() actor_type!: string;
  @Text(none) user_id!: string | null;
  @Text(none) user_nama!: string | null;
  @Text(none) catatan!: string | null;
  @Text() waktu!: string;
  @Int() timestamp!: number;
}

export class ChangeTicketStatus {
  @Text({ max: 80 }) ticketId!: string;
  @Choice(ticketStatuses) status!: (typeof ticketStatuses)[number];
  @Text({ optional: true, max: 1000 }) catatan?: string;
  @Text({ optional: true, max: 64, description: 'who changes it, for callers without a token' }) user_id?: string;
}

export class TicketReply {
  @Text({ example: 'success change ticket status' }) message!: string;
  @Nested(() => TicketStruct) data!: TicketStruct;
  @List(() => TicketHistoryStruct) history!: TicketHistoryStruct[];
}
