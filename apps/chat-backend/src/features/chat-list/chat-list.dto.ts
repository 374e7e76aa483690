import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';
import { ChatListStruct } from '../records/public';
import { ticketStatuses } from '../tickets/public';

export const listStatuses = ['all', 'open', 'handle', 'pending', 'finish', 'unread', 'escalate'] as const;
export const searchTypes = ['nama', 'nohp', 'pesan', 'order', 'tag', 'ticket'] as const;
export const listSorts = ['waktu_desc', 'waktu_asc', 'unread', 'waiting', 'prioritas'] as const;

export class ChatListFilter {
  @Text({ optional: true, max: 64, description: '"me", "none" or a user id' }) user_id?: string;
  @Flag({ optional: true }) unread?: boolean;
  @Texts({ optional: true, max: 20, maxLength: 60 }) tag?: string[];
  @Texts({ optional: true, max: 4, maxLength: 10 }) prioritas?: string[];
  @Flag({ optional: true }) escalate?: boolean;
  @Flag({ optional: true }) is_group?: boolean;
  @Text({ optional: true, max: 64 }) gudang_id?: string;
  @Texts({ optional: true, max: 10, maxLength: 30 }) order_status?: string[];
  @Choice(ticketStatuses, { optional: true, description: 'of the latest ticket' })
  ticket_status?: (typeof ticketStatuses)[number];
  @Text({ optional: true, format: 'date' }) date_from?: string;
  @Text({ optional: true, format: 'date' }) date_to?: string;
  @Int({ optional: true, min: 1, max: 100_000 }) waiting_min?: number;
  @Choice(listSorts, { optional: true }) sort?: (typeof listSorts)[number];
  @Text({ optional: true, max: 36, description: 'for `_admin` with instance "all"' }) store_id?: string;
}

export class ChatListQuery {
  @Text({ max: LONGEST_ADDRESS, description: 'required by the structure, not used' }) nohp!: string;
  @Text({ max: 64, description: 'a device, or "all"' }) instance!: string;
  @Text({ max: 36, description: 'a team, or "all" that the caller may read' }) team!: string;
  @Text({ optional: true, max: 10, description: '"true" leaves groups out' }) not_group?: string;
  @Text({ optional: true, max: 100 }) keyword?: string;
  @Choice(listStatuses, { optional: true }) status?: (typeof listStatuses)[number];
  @Text({ optional: true, max: 100 }) search?: string;
  @Choice(searchTypes, { optional: true, description: '`nama`, or `nohp` for four digits and more' })
  searchType?: (typeof searchTypes)[number];
  @Nested(() => ChatListFilter, { optional: true }) filter?: ChatListFilter;
  @Text({ optional: true, format: 'numeric' }) limit?: string;
  @Text({ optional: true, max: 400 }) cursor?: string;
}

export class ChatListReply {
  @List(() => ChatListStruct) data!: ChatListStruct[];
  @Texts({ description: 'chatIds of `data` in the same order' }) indexlist!: string[];
  @Text({ nullable: true }) next_cursor!: string | null;
}
