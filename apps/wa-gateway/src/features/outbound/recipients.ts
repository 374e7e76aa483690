import { jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import type { Jid } from '../../engines/engine.types';
import type { Outlet } from '../devices/public';
import type { MessagesRepository } from '../messages/public';
import type { KnownNumbers } from '../registry/public';

/** The recipient of a send. */
export class Recipients {
  constructor(
    private readonly messages: Pick<MessagesRepository, 'numberOf' | 'isSeen'>,
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
   * Looks up a number that nobody ever wrote to or heard from, while WhatsApp can be asked: unknown ones alone can restrict an
   * account. Throws InvalidInput when WhatsApp does not know it, and `ServedElsewhere` when another process must ask. Who is addressed by a
   * hidden id is reached by that, whatever number they had before.
   */
  async demandRegistered(outlet: Outlet, address: Jid): Promise<void> {
    const { instanceId, status } = outlet.device;
    if (status !== 'connected' || !address.endsWith('@s.whatsapp.net')) return;
    if (await this.messages.isSeen(instanceId, address)) return;
    if ((await this.isRegistered(outlet, address)) === false)
      throw new InvalidInput([{ field: 'number', tag: 'not_registered', message: 'number not registered' }]);
  }

  private async isRegistered({ device, engine, line, elsewhere }: Outlet, chat: Jid): Promise<boolean | undefined> {
    const { instanceId } = device;
    if (engine.capabilities.exists !== true) return undefined;
    if (line) return this.known.isRegistered(instanceId, line.engine, chat);
    const remembered = await this.known.remembered(instanceId, chat);
    if (remembered === undefined && elsewhere) throw elsewhere;
    return remembered;
  }
}
