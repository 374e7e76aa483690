import { createHash } from 'node:crypto';
import type { Library } from './baileys.library';
import type { MessageArchive } from './message.archive';
import type { Arrival } from './message.normaliser';
import { unwrapped, type Content } from './message.content';
import { bare } from './people';
import type { Account } from './receipts';

const hashOf = (option: string): string => createHash('sha256').update(option).digest('hex');

const optionsOf = ({ pollCreationMessage, pollCreationMessageV3 }: Content): string[] => {
  const options = (pollCreationMessage ?? pollCreationMessageV3)?.options ?? [];
  return options.flatMap(({ optionName }) => (optionName ? [optionName] : []));
};

/** Votes on our polls. They are encrypted with a secret that only the poll holds, and name options by their hash. */
export class PollVotes {
  constructor(
    private readonly library: Pick<Library, 'decryptPollVote'>,
    private readonly archive: MessageArchive,
  ) {}

  /** Nothing when the poll is not ours, or the vote does not fit it. */
  async read(arrival: Arrival, me: Account): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { pollUpdateMessage: update } = unwrapped(arrival.content);
    const id = update?.pollCreationMessageKey?.id;
    const poll = id ? await this.archive.find(id) : undefined;
    const secret = poll?.messageContextInfo?.messageSecret;
    const selected = id && update?.vote && secret && this.selected(update.vote, { id, secret, arrival, me });
    if (!poll || !selected) return undefined;
    const { chat: number, participant, fromMe } = arrival;
    const options = optionsOf(poll).filter((name) => selected.has(hashOf(name)));
    return { id, number, fromMe, ...(participant ? { participant } : {}), options };
  }

  /** The voter's name is part of the key; whether as number or as LID, WhatsApp does not say. */
  private selected(
    vote: { encPayload?: Uint8Array | null; encIv?: Uint8Array | null },
    { id, secret, arrival, me }: { id: string; secret: Uint8Array; arrival: Arrival; me: Account },
  ): ReadonlySet<string> | undefined {
    const voters = [arrival.participant ?? arrival.chat, arrival.lid].filter((name) => name !== undefined);
    const creators = [me.id, me.lid].filter((name) => name !== undefined).map(bare);
    for (const voterJid of voters)
      for (const pollCreatorJid of creators)
        try {
          const context = { pollCreatorJid, pollMsgId: id, pollEncKey: secret, voterJid };
          const { selectedOptions } = this.library.decryptPollVote(vote, context);
          return new Set((selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')));
        } catch {
          continue;
        }
    return undefined;
  }
}
