import type { ConversationKey } from '../records/public';

/** Written by the ingest statement in the transaction that stored the message. */
export interface RemoteFilePayload extends ConversationKey {
  readonly seq: number;
  /** `fileUrl` of the callback: an address, or a path of the gateway. */
  readonly url: string;
  readonly filename: string | null;
}
