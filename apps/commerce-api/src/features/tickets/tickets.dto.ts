import { Choice, Flag, Int, List, Nested, Phone, Text } from '@platform/validation';

export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];
export const ticketStatuses = ['open', 'on_progress', 'pending', 'resolved', 'closed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];
const none = { nullable: true } as const;

export class TicketsQuery {
  @Choice(ticketStatuses, { optional: true }) status?: TicketStatus;
  @Choice(priorities, { optional: true }) priority?: Priority;
  @Text({ optional: true, max: 64 }) assignee_id?: string;
  @Phone({ optional: true }) phone?: string;
  @Text({ optional: true, max: 100, trim: true, description: 'Part of number, subject, text or phone' }) q?: string;
  @Text({ optional: true, max: 300 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class NewTicket {
  @Text({ optional: true, format: 'uuid', description: 'Or `phone`' }) contact_id?: string;
  @Phone({ optional: true }) phone?: string;
  @Text({ max: 150, visible: true, trim: true }) subject!: string;
  @Text({ max: 5000, visible: true, trim: true }) body!: string;
  @Choice(priorities, { optional: true, description: 'medium unless given' }) priority?: Priority;
  @Text({ optional: true, format: 'uuid' }) order_id?: string;
}

export class NewTicketReply {
  @Text({ max: 4096, visible: true, trim: true }) text!: string;
  @Text({ optional: true, format: 'uuid', description: 'A file that was uploaded as `message`' }) media_id?: string;
  @Flag({ optional: true, description: 'The customer gets it too' }) notify?: boolean;
}

export class TicketStatusChange {
  @Choice(ticketStatuses, { description: 'From closed only to open' }) status!: TicketStatus;
}

export class TicketAssignment {
  @Text({ max: 64 }) user_id!: string;
}

export class Rating {
  @Int({ min: 1, max: 5 }) rating!: number;
  @Text({ optional: true, max: 1000, trim: true }) text?: string;
}

export class TicketContact {
  @Text(none) id!: string | null;
  @Text(none) name!: string | null;
  @Text() phone!: string;
}

class Reply {
  @Text() id!: string;
  @Text({ format: 'instant' }) at!: string;
  @Text({ ...none, description: 'null: the shop' }) author!: string | null;
  @Text() text!: string;
  @Text({ ...none, description: 'Where its file is' }) media!: string | null;
}

/** As a list shows it. */
export class TicketRow {
  @Text({ description: 'Opaque' }) id!: string;
  @Text() number!: string;
  @Text() subject!: string;
  @Text() body!: string;
  @Nested(() => TicketContact) contact!: TicketContact;
  @Text(none) order_id!: string | null;
  @Choice(priorities) priority!: Priority;
  @Choice(ticketStatuses) status!: TicketStatus;
  @Text({ ...none, description: 'User id' }) assignee!: string | null;
  @Int(none) rating!: number | null;
  @Text(none) feedback!: string | null;
  @Text({ format: 'instant', description: 'To the minute' }) created_at!: string;
}

export class Ticket extends TicketRow {
  @List(() => Reply) replies!: Reply[];
}

export class TicketReply extends Reply {}
