import type { Readable } from 'node:stream';
import type { MiscMessageGenerationOptions, WAMessage, WASocket } from 'baileys';
import { EngineOffline } from '../engine.errors';
import type { Jid, OutContent, SendOptions } from '../engine.types';
import type { Library, proto } from './baileys.library';
import type { Groups } from './groups';
import type { MessageArchive } from './message.archive';
import { libraryContent } from './outgoing.content';
import { isGroup, isLid } from './people';

export interface OutgoingOptions {
  readonly library: Library;
  readonly archive: MessageArchive;
  readonly open: (key: string) => Readable;
  readonly groups: Pick<Groups, 'remember'>;
}

/** Without a limit the library waits for ever for a media host that has taken the connection. */
const UPLOAD_SILENCE_MS = 60_000;
const POLL_NODE = { tag: 'meta', attrs: { polltype: 'creation' } };

const isPoll = ({ pollCreationMessage, pollCreationMessageV3 }: proto.IMessage): boolean =>
  Boolean(pollCreationMessage ?? pollCreationMessageV3);

/** The way out. A message is made once and archived; a second send is the same message under the same id. */
export class Outgoing {
  constructor(private readonly options: OutgoingOptions) {}

  async send(socket: WASocket, chat: Jid, content: OutContent, options: SendOptions): Promise<void> {
    const { archive, groups } = this.options;
    const { id, hidden } = options;
    // Only a LID is a name on this network
    const to = hidden !== undefined && isLid(hidden) ? hidden : chat;
    try {
      const message = (await archive.find(id)) ?? (await this.made(socket, to, content, options));
      if (isGroup(to)) await groups.remember(socket, to);
      const additionalNodes = isPoll(message) ? [POLL_NODE] : [];
      await socket.relayMessage(to, message, { messageId: id, additionalNodes });
    } catch (cause) {
      if (!socket.ws.isOpen) throw new EngineOffline('the connection to WhatsApp closed', { cause });
      throw cause;
    }
  }

  private async made(
    socket: WASocket,
    to: Jid,
    content: OutContent,
    { id, quotedId, mentions }: SendOptions,
  ): Promise<proto.IMessage> {
    const { library, archive, open } = this.options;
    const keyOf = (reacted: string) => this.keyOf(to, reacted);
    const body = await libraryContent(content, { open, keyOf });
    const quoted = quotedId === undefined ? undefined : await this.quoted(socket, to, quotedId);
    const { message } = await library.generateWAMessage(
      to,
      mentions ? ({ ...body, mentions: [...mentions] } as never) : body,
      {
        userJid: socket.user?.id ?? '',
        upload: socket.waUploadToServer,
        mediaUploadTimeoutMs: UPLOAD_SILENCE_MS,
        messageId: id,
        ...(quoted ? ({ quoted } satisfies MiscMessageGenerationOptions) : {}),
      },
    );
    if (!message) throw new Error('the library made no message');
    await archive.save(id, message);
    return message;
  }

  private async keyOf(chat: Jid, id: string) {
    const reference = await this.options.archive.reference(id);
    const participant = reference?.participant;
    return { remoteJid: chat, id, fromMe: reference?.fromMe ?? false, ...(participant ? { participant } : {}) };
  }

  /** A message nobody knows is not quoted. */
  private async quoted(socket: WASocket, chat: Jid, id: string): Promise<WAMessage | undefined> {
    const reference = await this.options.archive.reference(id);
    if (!reference) return undefined;
    const { fromMe, participant, message } = reference;
    const author = isGroup(chat) && participant ? { participant } : {};
    return {
      key: { remoteJid: chat, id, fromMe, ...author },
      message,
      ...(fromMe ? { participant: socket.user?.id } : {}),
    };
  }
}
