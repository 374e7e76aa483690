import { createHash, randomBytes } from 'node:crypto';
import type { Json } from '../json.reader';

/** A business number as in Meta's dashboard. */
export interface BusinessNumber {
  /** `phone_number_id`. */
  readonly id: string;
  readonly displayPhoneNumber: string;
  readonly verifiedName: string;
  readonly token: string;
}

export type Level = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed';

/** A message from a business to a person. */
export interface SentMessage {
  readonly id: string;
  readonly numberId: string;
  readonly to: string;
  readonly type: string;
  /** The member of the request that is named after the type. */
  readonly content: Json;
  readonly quotes?: string;
  readonly opaque?: string;
  level: Level;
}

export interface StoredMedia {
  readonly id: string;
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly sha256: string;
}

export const defaultNumber: BusinessNumber = {
  id: '106540352242922',
  displayPhoneNumber: '+62 811-1000-0001',
  verifiedName: 'Toko Nusa',
  token: 'sandbox-token',
};

/** Looks like Meta's ids: `wamid.` and base64 without a meaning. */
export const newWamid = (): string => `wamid.${randomBytes(24).toString('base64')}`;

/** The emulated network's memory. It ends with the process. */
export class WhatsAppStore {
  readonly numbers = new Map<string, BusinessNumber>();
  readonly sent: SentMessage[] = [];
  /** Ids of customers' messages that the business marked as read, and whether with the typing indicator. */
  readonly readByBusiness: { id: string; typing: boolean }[] = [];
  /** Phones that are offline: their messages stay on one tick. */
  readonly offline = new Set<string>();
  /** Customers' messages, by id. */
  readonly inbound = new Set<string>();
  /** The file that was stored last, by either side. */
  lastFile: StoredMedia | undefined;
  private readonly media = new Map<string, StoredMedia>();

  constructor(numbers: readonly BusinessNumber[]) {
    for (const number of numbers) this.numbers.set(number.id, number);
  }

  keep(bytes: Buffer, mimetype: string): StoredMedia {
    const id = String(10 ** 15 + Number(randomBytes(6).readUIntBE(0, 6)));
    const stored = { id, bytes, mimetype, sha256: createHash('sha256').update(bytes).digest('hex') };
    this.media.set(id, stored);
    this.lastFile = stored;
    return stored;
  }

  file(id: string): StoredMedia | undefined {
    return this.media.get(id);
  }

  /** What one person's phone shows, oldest first. */
  shown(to: string): SentMessage[] {
    return this.sent.filter(
      (message) => message.to === to && message.level !== 'accepted' && message.level !== 'failed',
    );
  }
}
