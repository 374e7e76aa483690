import { LONGEST_ADDRESS } from '@platform/contracts';
import { Anything, Choice, Flag, Int, Json, List, Nested, Text } from '@platform/validation';
import { engineKinds, type EngineKind } from '../../engines/engine.types';
import { replyOf } from '../../reply';

const INSTANCE = { pattern: /^[A-Za-z0-9._-]{1,64}$/, trim: true };
const instance = { ...INSTANCE, optional: true, description: 'device; may be left out when there is exactly one' };

/** Fields every route that names a device has; `instance` is an alias. */
export class DeviceReference {
  @Text({ ...instance, example: 'toko-1' }) instanceID?: string;
  @Text({ ...INSTANCE, optional: true, description: 'the same as instanceID' }) instance?: string;
}

/** Whom a call means. */
export const ADDRESS = { trim: true, max: LONGEST_ADDRESS, description: 'person or group, in any usual form' };

/** An account on Meta's Cloud API. */
export class CloudAccountFields {
  @Text({ trim: true, pattern: /^\d{1,20}$/, example: '106540352242922' }) phone_number_id!: string;
  @Text({ trim: true, max: 4_096, pattern: /^[!-~]+$/, description: 'goes out in a header' }) token!: string;
  @Text({ trim: true, max: 256, description: 'signs the webhooks' }) app_secret!: string;
  @Text({ trim: true, max: 256, description: "answers Meta's verification of the webhook" }) verify_token!: string;
}

export class NewDevice extends DeviceReference {
  @Text({ ...INSTANCE, optional: true, description: 'dev- and 8 hex digits when left out', example: 'toko-1' })
  declare instanceID?: string;
  @Text({ optional: true, trim: true, max: 64, example: 'Toko Nusa WA' }) name?: string;
  @Text({ optional: true, trim: true, max: 512, format: 'url', description: 'WEBHOOK_URL when left out' })
  webhook_url?: string;
  @Choice(engineKinds, { optional: true, description: 'WA_ENGINE when left out' }) engine?: EngineKind;
  @Text({ optional: true, trim: true, max: 64, description: 'asks for a pairing code that is typed on this phone' })
  nohp?: string;
  @Text({ optional: true, min: 16, max: 128, description: 'signs the callbacks of this device' }) secret?: string;
  @Flag({ optional: true, description: 'show the account as online, true when left out' })
  online?: boolean;
  @Nested(() => CloudAccountFields, { optional: true, description: 'of engine cloud; WA_CLOUD_* when left out' })
  cloud?: CloudAccountFields;
}

export class QrQuery extends DeviceReference {
  @Choice(['json', 'png'], { optional: true, description: 'json unless given' }) format?: 'json' | 'png';
  @Text({ optional: true, trim: true, max: 64, description: 'asks for a pairing code' }) nohp?: string;
}

export class DeviceData {
  @Text() instanceID!: string;
  @Text() name!: string;
  @Choice(engineKinds) engine!: EngineKind;
  @Text() status!: string;
  @Text() webhook_url!: string;
  @Text({ format: 'instant' }) created_at!: string;
}
export const NewDeviceReply = replyOf('NewDeviceReply', DeviceData);

export class QrData {
  @Text() instanceID!: string;
  @Text({ example: 'qr' }) status!: string;
  @Text({ description: 'data:image/png;base64,…' }) qrcode!: string;
  @Text({ description: 'what the picture says' }) qr!: string;
  @Int() attempt!: number;
  @Text({ format: 'instant' }) expired_at!: string;
  @Text({ optional: true }) pairing_code?: string;
}
export const QrReply = replyOf('QrReply', QrData);

export class LogoutData {
  @Text() instanceID!: string;
  @Text({ example: 'logged_out' }) status!: string;
}
export const LogoutReply = replyOf('LogoutReply', LogoutData);

export class DeviceQueue {
  @Int({ description: 'sends not handed over yet' }) outgoing!: number;
  @Int({ description: 'callbacks not delivered yet' }) webhook!: number;
  @Int({ description: 'callbacks nobody took' }) dead!: number;
}
export class DeviceInfo {
  @Text() instanceID!: string;
  @Choice(engineKinds) engine!: EngineKind;
  @Text() status!: string;
  @Text({ nullable: true }) number!: string | null;
  @Text({ nullable: true }) name!: string | null;
  @Text({ nullable: true }) profilepic!: string | null;
  @Text({ nullable: true }) platform!: string | null;
  @Text({ nullable: true }) connected_at!: string | null;
  @Text({ nullable: true }) last_seen!: string | null;
  @Text({ nullable: true }) last_error!: string | null;
  @Int() reconnects!: number;
  @Text({ nullable: true }) restricted_until!: string | null;
  @Nested(() => DeviceQueue) queue!: DeviceQueue;
  @Json({ description: 'by name: true, or why not' }) capabilities!: object;
}
export class DeviceList {
  @List(() => DeviceInfo) devices!: DeviceInfo[];
}
export class DeviceInfoReply {
  @Text() message!: string;
  @Anything({ description: 'one device when it was named, else `devices`' }) data!: DeviceInfo | DeviceList;
}
