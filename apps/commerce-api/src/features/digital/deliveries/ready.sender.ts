import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import { uuidv7, type Clock, type Logger } from '@platform/runtime';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import type { CommerceJobs } from '../../../jobs';
import { linkHash } from '../../../secret-link';
import { messageSay, nameOnly } from '../../messages/templates/public';
import type { SendChannel } from '../../papers/sending/public';
import { keysOfLine } from './bought.keys';
import type { DownloadLinks } from './download.links';
import { readyLetter, tellingOf, type Ready, type ReadyThing } from './ready.letter';
import { dueOf, markSent, type Due, type DueThing } from './ready.sql';

/** Keys that are read in the message: more of them, or longer ones, are behind their link alone. */
const TOLD = { keys: 10, characters: 1_500 };
/** Characters of links in one message of a chat; what the store says around them comes on top. */
const LONGEST_CHAT = 3_500;

export interface SenderParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly box: SecretBox;
  readonly links: DownloadLinks;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Absent: this service knows no chat-backend. */
  readonly messages: ChatMessages | undefined;
}

type Sending = CommerceJobs['download.send'];

/** Sends what was bought: by e-mail where the buyer has an address, else over WhatsApp. */
export class ReadySender {
  constructor(private readonly parts: SenderParts) {}

  /** The job. A repeat sends the same message under the same id; what was replaced or revoked meanwhile is left out. */
  async send(sending: Sending): Promise<void> {
    const { sql, clock, logger } = this.parts;
    const due = await dueOf(sql, sending);
    if (!due) return;
    const channel = sending.channel ?? (due.buyer.email ? 'email' : 'whatsapp');
    try {
      await this.deliver(sending, due, channel);
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      const { storeId: store, orderId: order } = sending;
      return logger.error('downloads will never be sent', { store, order, channel, error: failure });
    }
    const told = { at: clock.now(), eventId: uuidv7(), text: channel, actor: 'download.send' };
    await markSent(sql, sending, told);
  }

  private async deliver(sending: Sending, due: Due, channel: SendChannel): Promise<void> {
    const { subject, parts } = readyLetter(await this.readyOf(sending, due), channel);
    const { number: order_number, store: store_name } = due;
    const values = { order_number, store_name, buyer_name: nameOnly(due.buyer.name) };
    const say = await messageSay(this.parts.sql, sending.storeId, 'download_ready');
    const texts = tellingOf((downloads) => say({ ...values, downloads }), parts, LONGEST_CHAT);
    if (channel === 'email') return this.mail(sending, due, { subject, text: texts.join('\n\n') });
    await this.chat(sending, due, texts);
  }

  private async mail(
    { issue }: Sending,
    { buyer: { email } }: Due,
    letter: { readonly subject: string; readonly text: string },
  ): Promise<void> {
    if (!email) throw new Rejected('The buyer has no e-mail address');
    // Whoever gets a repeat can tell that it is one
    await this.parts.mailer.send({ to: email, ...letter, messageId: `<${issue}@downloads.invalid>` });
  }

  private async chat({ storeId, issue }: Sending, { buyer: { phone } }: Due, texts: readonly string[]): Promise<void> {
    const { messages } = this.parts;
    if (!messages) throw new Rejected('No WhatsApp is connected to this service');
    for (const [at, text] of texts.entries())
      await messages.send({ storeId, phone, text, id: at === 0 ? `download:${issue}` : `download:${issue}:${at}` });
  }

  private async readyOf(sending: Sending, { things, buyer, ...rest }: Due): Promise<Ready> {
    const ready: ReadyThing[] = [];
    for (const thing of things) ready.push(await this.thingOf(sending, thing));
    return { ...rest, buyer: buyer.name, things: ready };
  }

  private async thingOf({ storeId, orderId, issue }: Sending, thing: DueThing): Promise<ReadyThing> {
    const { sql, box, links } = this.parts;
    const { id, asset_id, order_item_id: itemId } = thing;
    // Made by a process with another secret, or before it was renewed
    if (linkHash(links.tokenOf({ storeId, id, issue })) !== thing.token_hash)
      throw new Rejected('The link cannot be made again: PAY_LINK_SECRET is another one than it was made with');
    const keys = asset_id === null ? await keysOfLine(sql, box, { storeId, orderId, itemId }) : [];
    const isShort = keys.length <= TOLD.keys && keys.join('').length <= TOLD.characters;
    return { ...thing, keys: isShort ? keys : [], url: links.urlOf({ storeId, id, issue }) };
  }
}
