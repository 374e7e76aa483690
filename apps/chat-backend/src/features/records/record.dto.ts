import { Anything, Choice, Flag, Int, Json, List, Nested, Text, Texts } from '@platform/validation';
import { chatStatuses } from './record.sql';

const none = { nullable: true } as const;

/** One message of a conversation. */
export class ChatInboxStruct {
  @Text({ example: 'S1.0192f3a0-0000-7000-8000-000000000000.1' }) chatInboxId!: string;
  @Text() chatId!: string;
  @Text() pesan_id!: string;
  @Text() nohp!: string;
  @Text() instance!: string;
  @Text() team!: string;
  @Text() customerId!: string;
  @Int() seq!: number;
  @Text() type!: string;
  @Text(none) pesan!: string | null;
  @Text(none) caption!: string | null;
  @Text(none) url!: string | null;
  @Text(none) mimetype!: string | null;
  @Text(none) filename!: string | null;
  @Int(none) size!: number | null;
  @Text(none) latitude!: string | null;
  @Text(none) longitude!: string | null;
  @Text(none) locationName!: string | null;
  @Text(none) locationAddress!: string | null;
  @Text(none) matchedText!: string | null;
  @Text(none) quoteMsg!: string | null;
  @Flag() fromMe!: boolean;
  @Choice(['customer', 'agent', 'bot', 'system']) role!: 'customer' | 'agent' | 'bot' | 'system';
  @Text(none) user_id!: string | null;
  @Text(none) name!: string | null;
  @Text(none) participantname!: string | null;
  @Text(none) profilepic!: string | null;
  @Choice(['pending', 'sent', 'delivered', 'viewed', 'played']) status_ack!:
    'pending' | 'sent' | 'delivered' | 'viewed' | 'played';
  @Text(none) error!: string | null;
  @Int(none) failed_at!: number | null;
  @Text(none) broadcastId!: string | null;
  @Flag() is_read!: boolean;
  @Text({ example: '2026-11-20 13:45' }) waktu!: string;
  @Int() timestamp!: number;
}

/** One conversation as the list shows it. */
export class ChatListStruct {
  @Text() chatId!: string;
  @Text() nohp!: string;
  @Text() instance!: string;
  @Text() team!: string;
  @Text() customerId!: string;
  @Text(none) nama!: string | null;
  @Text(none) profilepic!: string | null;
  @Flag() is_group!: boolean;
  @Choice(chatStatuses) status!: (typeof chatStatuses)[number];
  @Choice(['', 'requested', 'finished']) status_escalate!: '' | 'requested' | 'finished';
  @Text(none) user_id!: string | null;
  @Text(none) user_nama!: string | null;
  @Text(none) gudang_id!: string | null;
  @Text(none) prioritas!: string | null;
  @Texts() tag!: string[];
  @Int() unread!: number;
  @Int() last_seq!: number;
  @Int() read_seq!: number;
  @Text(none) last_pesan!: string | null;
  @Text(none) last_type!: string | null;
  @Flag() last_fromMe!: boolean;
  @Text(none) last_pesan_id!: string | null;
  @Text() status_ack!: string;
  @Text(none) order_status!: string | null;
  @Text(none) ticketId!: string | null;
  @Int(none) waiting_since!: number | null;
  @Int(none) first_response_at!: number | null;
  @Text(none) pending_until!: string | null;
  @Int() episode!: number;
  @Int() version!: number;
  @Text() waktu!: string;
  @Int() timestamp!: number;
}

export class CustomerStruct {
  @Text() customerId!: string;
  @Text() nohp!: string;
  @Text(none) nama!: string | null;
  @Text(none) email!: string | null;
  @Text(none) alamat!: string | null;
  @Text(none) kota!: string | null;
  @Text(none) provinsi!: string | null;
  @Text(none) kodepos!: string | null;
  @Text(none) profilepic!: string | null;
  @Texts() tag!: string[];
  @Text(none) catatan!: string | null;
  @Int() total_order!: number;
  @Int() total_belanja!: number;
  @Flag() opt_out!: boolean;
  @Flag() blokir!: boolean;
  @Json() custom!: Record<string, unknown>;
  @Text() waktu!: string;
  @Text() last_waktu!: string;
}

export class ChatHistoryStruct {
  @Text() historyId!: string;
  @Text() chatId!: string;
  @Int() episode!: number;
  @Text({ example: 'created' }) event!: string;
  @Text(none) from_status!: string | null;
  @Text(none) to_status!: string | null;
  @Text() actor_type!: string;
  @Text(none) user_id!: string | null;
  @Text(none) user_nama!: string | null;
  @Text(none) team_from!: string | null;
  @Text(none) team_to!: string | null;
  @Text(none) user_from!: string | null;
  @Text(none) user_to!: string | null;
  @Text(none) catatan!: string | null;
  @Anything() lampiran!: unknown[];
  @Text() waktu!: string;
  @Int() timestamp!: number;
}

export class ChatOrderStruct {
  @Text() orderId!: string;
  @Text() order_number!: string;
  @Text() chatId!: string;
  @Text() customerId!: string;
  @Text() nohp!: string;
  @Text() status!: string;
  @Text(none) payment_status!: string | null;
  @Int() total!: number;
  @Text() currency!: string;
  @Anything() items!: unknown[];
  @Text(none) kurir!: string | null;
  @Text(none) resi!: string | null;
  @Text(none) gudang_id!: string | null;
  @Text() waktu!: string;
  @Text() updated_at!: string;
}

export class HandleGudangStruct {
  @Text() handleGudangId!: string;
  @Text() chatId!: string;
  @Text(none) orderId!: string | null;
  @Text() gudang_id!: string;
  @Text(none) gudang_nama!: string | null;
  @Text(none) team!: string | null;
  @Text(none) user_id!: string | null;
  @Text(none) user_nama!: string | null;
  @Choice(['pending', 'diproses', 'selesai', 'batal']) status!: 'pending' | 'diproses' | 'selesai' | 'batal';
  @Text(none) catatan!: string | null;
  @Text(none) waktu_mulai!: string | null;
  @Text(none) waktu_selesai!: string | null;
}

export class DeviceStruct {
  @Text() instance!: string;
  @Text() nama!: string;
  @Text(none) nohp!: string | null;
  @Choice(['connected', 'disconnected', 'qr']) status!: 'connected' | 'disconnected' | 'qr';
  @Text() team!: string;
  @Text(none) default_team!: string | null;
  @Int(none) last_seen!: number | null;
  @Text(none) waktu!: string | null;
}

/** The seven keys beside `result` that chat_inbox and chat_newinbox share (contract). */
export class InboxReply {
  @List(() => ChatInboxStruct) data!: ChatInboxStruct[];
  @Nested(() => ChatListStruct) chat_list!: ChatListStruct;
  @Nested(() => ChatOrderStruct, none) chat_order!: ChatOrderStruct | null;
  @Nested(() => CustomerStruct) customer!: CustomerStruct;
  @Nested(() => DeviceStruct, none) chat_device!: DeviceStruct | null;
  @Nested(() => HandleGudangStruct, none) handle_gudang!: HandleGudangStruct | null;
  @List(() => ChatHistoryStruct) history!: ChatHistoryStruct[];
}
