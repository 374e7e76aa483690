import { ruleMatches } from '@platform/contracts';
import { Anything, Choice, Flag, Int, Json, List, Nested, Text, Texts } from '@platform/validation';

const some = { optional: true, nullable: true } as const;
const MOST = 500;
/** The last instant that a Date knows. */
const LAST_MS = 8_640_000_000_000_000;

/** Columns of a row that commerce-api owns (design 2.9, 4). What is no column here is dropped. */
export class PushedRow {
  @Text({ max: 36, pattern: /^[A-Za-z0-9_-]+$/ }) store_id!: string;
  @Int({ min: 0, max: LAST_MS, description: 'epoch milliseconds: the version of the row, greater with every change' })
  updated_at!: number;
  @Flag({ optional: true, description: 'the row is gone' }) deleted?: boolean;
}

export class PushedStore extends PushedRow {
  @Text({ ...some, max: 200 }) nama?: string;
  @Text({ ...some, max: 64, example: 'Asia/Jakarta' }) tz?: string;
  @Json(some) settings?: Record<string, unknown>;
}

export class PushedUser extends PushedRow {
  @Text({ max: 64 }) user_id!: string;
  @Text({ ...some, max: 200 }) nama?: string;
  @Text({ ...some, max: 254 }) email?: string;
  @Text({ ...some, max: 32 }) role?: string;
  @Flag(some) aktif?: boolean;
}

export class PushedTeam extends PushedRow {
  @Text({ max: 36 }) id!: string;
  @Text({ ...some, max: 200 }) nama?: string;
  @Choice(['cs', 'gudang', 'supervisor'], some) kind?: 'cs' | 'gudang' | 'supervisor';
  @Flag(some) private?: boolean;
  @Choice(['manual', 'round_robin', 'least_busy'], some) distribution?: 'manual' | 'round_robin' | 'least_busy';
  @Anything({ description: '[{day 0-6 from Sunday, open HH:MM, close HH:MM}]; none: always' }) hours?: unknown;
}

export class PushedMember extends PushedRow {
  @Text({ max: 36 }) team_id!: string;
  @Text({ max: 64 }) user_id!: string;
  @Choice(['agent', 'supervisor'], some) role?: 'agent' | 'supervisor';
}

/** Its status and last sighting come from the gateway. */
export class PushedDevice extends PushedRow {
  @Text({ max: 64 }) instance!: string;
  @Text({ ...some, max: 200 }) nama?: string;
  @Text({ ...some, max: 64 }) nohp?: string;
  @Text({ ...some, max: 36 }) default_team_id?: string;
  @Text({ ...some, max: 64 }) bot_agent_id?: string;
}

/** Known by number, never by id: `id` is commerce-api's and kept as contact_id. */
export class PushedCustomer extends PushedRow {
  @Text({ max: 64 }) nohp!: string;
  @Text({ ...some, max: 64 }) id?: string;
  @Text({ ...some, max: 200 }) nama?: string;
  @Text({ ...some, max: 254 }) email?: string;
  @Text({ ...some, max: 1000 }) alamat?: string;
  @Text({ ...some, max: 200 }) kota?: string;
  @Text({ ...some, max: 200 }) provinsi?: string;
  @Text({ ...some, max: 16 }) kodepos?: string;
  @Text({ ...some, max: 2000 }) profilepic?: string;
  @Texts({ ...some, max: 200, maxLength: 200 }) tags?: string[];
  @Text({ ...some, max: 4000 }) catatan?: string;
  @Json(some) custom?: Record<string, unknown>;
  @Flag(some) opt_out?: boolean;
  @Flag(some) blokir?: boolean;
  @Int({ ...some, min: 0, max: 2_147_483_647 }) total_order?: number;
  @Int({ ...some, min: 0 }) total_belanja?: number;
  @Text({ ...some, format: 'instant' }) last_order_at?: string;
}

export class PushedOrder extends PushedRow {
  @Text({ max: 64 }) id!: string;
  @Text({ ...some, max: 64, description: "the buyer's number" }) nohp?: string;
  @Text({ ...some, max: 64 }) order_number?: string;
  @Text({ ...some, max: 32 }) status?: string;
  @Text({ ...some, max: 32 }) payment_status?: string;
  @Int({ ...some, min: 0 }) total?: number;
  @Text({ ...some, max: 3 }) currency?: string;
  @Anything() items?: unknown;
  @Text({ ...some, max: 64 }) kurir?: string;
  @Text({ ...some, max: 64 }) resi?: string;
  @Text({ ...some, max: 64 }) gudang_id?: string;
  @Text({ ...some, format: 'instant' }) created_at?: string;
}

/** The chat by `chatId`, else the newest one of `nohp`. */
export class PushedWarehouseHandling extends PushedRow {
  @Text({ max: 64 }) id!: string;
  @Text({ ...some, max: 80 }) chatId?: string;
  @Text({ ...some, max: 64 }) nohp?: string;
  @Text({ ...some, max: 64 }) order_id?: string;
  @Text({ ...some, max: 64 }) gudang_id?: string;
  @Text({ ...some, max: 200 }) gudang_nama?: string;
  @Text({ ...some, max: 36 }) team_id?: string;
  @Text({ ...some, max: 64 }) user_id?: string;
  @Choice(['pending', 'diproses', 'selesai', 'batal'], some) status?: 'pending' | 'diproses' | 'selesai' | 'batal';
  @Text({ ...some, max: 1000 }) catatan?: string;
  @Text({ ...some, format: 'instant' }) waktu_mulai?: string;
  @Text({ ...some, format: 'instant' }) waktu_selesai?: string;
}

export class PushedTemplate extends PushedRow {
  @Text({ max: 64 }) id!: string;
  @Text({ ...some, max: 200 }) nama?: string;
  @Text({ ...some, max: 32 }) type?: string;
  @Text({ ...some, max: 4096 }) isi?: string;
  @Json(some) media?: Record<string, unknown>;
  @Flag(some) aktif?: boolean;
}

export class RuleReply {
  @Text({ ...some, max: 4096 }) text?: string;
  @Text({ ...some, format: 'url', max: 2000 }) url?: string;
  @Text({ ...some, max: 32 }) type?: string;
}

export class PushedRule extends PushedRow {
  @Text({ max: 64 }) id!: string;
  @Int({ ...some, min: -2_147_483_648, max: 2_147_483_647 }) position?: number;
  @Choice(ruleMatches, some) match?: (typeof ruleMatches)[number];
  @Texts({ ...some, max: 100, maxLength: 200 }) keywords?: string[];
  @Nested(() => RuleReply, some) reply?: RuleReply;
  @Texts({ ...some, max: 100, maxLength: 64 }) instances?: string[];
  @Flag(some) aktif?: boolean;
}

export class PushedWelcome extends PushedRow {
  @Flag(some) enabled?: boolean;
  @Text({ ...some, max: 4096 }) text?: string;
  @Int({ ...some, min: 0, max: 100_000, description: '0: with each episode' }) once_per_hours?: number;
}

const rows = { optional: true, max: MOST } as const;

export class SyncRequest {
  @List(() => PushedStore, rows) stores?: PushedStore[];
  @List(() => PushedUser, rows) users?: PushedUser[];
  @List(() => PushedTeam, rows) teams?: PushedTeam[];
  @List(() => PushedMember, rows) team_members?: PushedMember[];
  @List(() => PushedDevice, rows) devices?: PushedDevice[];
  @List(() => PushedTemplate, rows) templates?: PushedTemplate[];
  @List(() => PushedCustomer, rows) customers?: PushedCustomer[];
  @List(() => PushedOrder, rows) orders?: PushedOrder[];
  @List(() => PushedWarehouseHandling, rows) handle_gudang?: PushedWarehouseHandling[];
  @List(() => PushedRule, rows) rules?: PushedRule[];
  @List(() => PushedWelcome, rows) welcomes?: PushedWelcome[];
}

export class SyncCount {
  @Int({ description: 'rows that were news' }) applied!: number;
  @Int({ description: 'rows that were known, older, or of no use here' }) skipped!: number;
}

export class SyncReply {
  @Text({ example: 'success sync' }) message!: string;
  @Nested(() => SyncCount) data!: SyncCount;
}
