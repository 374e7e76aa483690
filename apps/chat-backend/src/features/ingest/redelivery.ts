import { hidesNumber } from '@platform/contracts';
import type { MediaStore, StoredMedia } from '../media/public';
import type { AliasRepository } from './alias.repository';
import type { InboundMessage } from './inbound-message';
import type { IngestRepository, StoredMessage } from './ingest.repository';

/** Whoever was told at any time knows better. */
const NOBODY_TOLD = new Date(0).toISOString();

/** A message that came before: it is answered as it is stored. */
export class Redelivery {
  constructor(
    private readonly messages: Pick<IngestRepository, 'stored'>,
    private readonly aliases: AliasRepository,
    private readonly files: Pick<MediaStore, 'discard'>,
  ) {}

  /** Its message has the one that came first, and nothing would ever name this one. */
  discard({ name }: StoredMedia): Promise<void> {
    return this.files.discard(name);
  }

  /**
   * The same message under another name of the customer tells that the two are one. By the hidden id it tells no more than what is known: it may
   * have been filed by that.
   */
  async of(message: InboundMessage, stored: StoredMessage): Promise<StoredMessage> {
    const { store_id: store, instance, number, pesan_id: id, at } = message;
    const told = hidesNumber(number) ? NOBODY_TOLD : at;
    const learned = stored.phone !== number && (await this.aliases.learn(store, [number, stored.phone], told));
    const current = learned ? await this.messages.stored(store, instance, id) : stored;
    return current ?? stored;
  }
}
