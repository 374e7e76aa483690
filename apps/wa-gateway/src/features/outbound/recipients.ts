import { jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import type { Jid } from '../../engines/engine.types';
import type { ReadyDevice } from '../devices/public';
import type { MessagesRepository } from '../messages/public';
import type { KnownNumbers } from '../registry/public';

/** The recipient of a send. */
export class Recipients {
  constructor(
    private readonly messages: Pick<MessagesRepository, 'numberOf' | 'acquaintance'>,
    private readonly known: KnownNumbers,
    private readonly countryCode: string,
  ) {}

  /** As WhatsApp writes it. Throws InvalidInput. */
  address(number: string, field: string): Jid {
    const address: ChatAddress | undefined = parseAddress(number, this.countryCode);
    if (!address) throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
    return jidOf(address);
  }

  /** The chat with this address on this device: by number whenever that is known. */
  chat(instanceId: string, address: Jid): Promise<Jid> {
    return this.messages.numberOf(instanceId, address);
  }

  /**
   * Whether a message to the chat answers one of it. A number nobody ever wrote to or heard from is looked up first: unknown ones alone
   * can restrict an account. Throws InvalidInput when WhatsApp does not know it.
   */
  async isReply({ line, device }: ReadyDevice, chat: Jid): Promise<boolean> {
    const { instanceId, status } = device;
    const { seen, isReply } = await this.messages.acquaintance(instanceId, chat);
    if (seen || status !== 'connected' || !chat.endsWith('@s.whatsapp.net')) return isReply;
    if ((await this.known.isRegistered(instanceId, line.engine, chat)) === false)
      throw new InvalidInput([{ field: 'number', tag: 'not_registered', message: 'number not registered' }]);
    return isReply;
  }
}
