import { hidesNumber, nohpOf, type CallbackExtras, type CallbackPayload } from '@platform/contracts';
import { cut, systemClock } from '@platform/runtime';
import type { StoredMedia } from '../media/public';
import { refusals, type DeviceDirectory } from '../tenancy/public';
import type { AliasRepository } from './alias.repository';
import { addressOf, extrasOf } from './callback.extras';
import type { InboundAnnouncer } from './inbound.announcer';
import { inboundMessage, type InboundMessage } from './inbound-message';
import type { IngestRepository, StoredMessage } from './ingest.repository';
import { optOutWish } from './opt-out';
import type { Redelivery } from './redelivery';

export interface CallbackDependencies {
  readonly devices: DeviceDirectory;
  readonly messages: IngestRepository;
  readonly redelivery: Redelivery;
  readonly aliases: Pick<AliasRepository, 'meet'>;
  readonly news: InboundAnnouncer;
  /** A message that is one of these and nothing else opts its customer out. */
  readonly optOutWords: readonly string[];
  /** Whether a send to who is known by one of these names is at the gateway at this moment. */
  readonly isSending: (storeId: string, instance: string, names: readonly string[]) => Promise<boolean>;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? cut(value, 2_048) : null;

/** A file that did not come with the message (design section 1, row 12). */
const remoteFileOf = (
  { fileUrl, fileName }: CallbackExtras,
  media: StoredMedia | null,
): Pick<InboundMessage, 'file_url' | 'file_name'> =>
  media ? { file_url: null, file_name: null } : { file_url: textOf(fileUrl), file_name: textOf(fileName) };

type Row = ReturnType<typeof inboundMessage>;

/**
 * What a message tells of who writes, and by what it is filed. A number that its device only remembers is as old as that memory: the message
 * itself came by the hidden id, and is for whoever that belongs to by what all devices of the store have heard.
 */
const asTold = (row: Row, hidden: string | null, since: unknown): { told: Row; number: string } => {
  const { at, number } = row;
  if (hidden === null || !hidesNumber(hidden) || typeof since !== 'number') return { told: row, number };
  const seconds = Math.min(Math.max(0, since), Date.parse(at) / 1000);
  return { told: { ...row, at: new Date(seconds * 1000).toISOString() }, number: hidden };
};

/** New messages that the gateway reports (contract, `POST /v1/callback_message`). */
export class CallbackService {
  constructor(private readonly needs: CallbackDependencies) {}

  /** Stores a message once and tells the agents after the commit; a redelivery answers the same and changes nothing. */
  async receive(payload: CallbackPayload, media: StoredMedia | null): Promise<string> {
    const address = addressOf(payload.number);
    const route = await this.needs.devices.demand(payload.instanceID);
    const { messages, news, optOutWords } = this.needs;
    const extras = extrasOf(payload.rawMessage);
    const hidden = address.kind === 'group' ? null : textOf(extras.lid);
    const names = [nohpOf(address), ...(hidden === null ? [] : [hidden])];
    const teamId = route.teamId ?? (await messages.teamOf(route.storeId, route.instance, names));
    if (teamId === undefined) throw refusals.teamNotFound();
    const row = inboundMessage(payload, address, { ...route, teamId }, media, systemClock.now());
    const personal = !row.from_me && !row.is_group;
    const wish = personal ? optOutWish(payload.text, optOutWords) : null;
    const { told, number } = asTold(row, hidden, extras.lidSince);
    const message: InboundMessage = { ...row, number, opt_out: wish, ...remoteFileOf(extras, media) };
    if (hidden !== null) await this.needs.aliases.meet(told, hidden);
    if (message.from_me) {
      const own = await messages.stored(route.storeId, route.instance, message.pesan_id);
      if (own) return this.again(own, media);
      // The answer of our own send may not be stored yet; stored twice it would show twice (design 3.2)
      if (await this.needs.isSending(route.storeId, route.instance, names)) throw refusals.chatBusy();
    }
    const ingested = await messages.store(message);
    if (!ingested.fresh) return this.again(await this.needs.redelivery.of(message, ingested), media);
    news.announce(ingested);
    return news.answer(ingested);
  }

  /** Answers a message that came before. */
  private async again(stored: StoredMessage, media: StoredMedia | null): Promise<string> {
    if (media) await this.needs.redelivery.discard(media);
    return this.needs.news.answer(stored);
  }
}
