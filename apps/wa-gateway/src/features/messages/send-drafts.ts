import { messageDraft, statusDraft, withFile, type CallbackDraft } from '../callbacks/public';
import type { NewSend } from './messages.repository';
import { echoOf } from './out-content';

export interface DraftOptions {
  /** WEBHOOK_SEND_PENDING. */
  readonly reportsPending: boolean;
  /** FILES_BASE_URL, for the files of echoed messages. */
  readonly filesBaseUrl: string;
}

/** The callbacks that are stored together with a send. */
export type SendDrafts = (send: NewSend, echo?: boolean) => CallbackDraft[];

export const sendDrafts =
  ({ reportsPending, filesBaseUrl }: DraftOptions): SendDrafts =>
  (send, echo = false) => {
    const { instanceId, chat, id, pesanId } = send;
    const at = Math.floor(send.at.getTime() / 1000);
    const raw = pesanId === null ? {} : { pesan_id: pesanId };
    const { media, ...content } = echoOf(send.payload.content);
    const draft = messageDraft(instanceId, { ...content, id, chat, fromMe: true, at, raw });
    const echoed = media ? { ...draft, payload: withFile(draft.payload, media, filesBaseUrl) } : draft;
    return [
      ...(echo ? [echoed] : []),
      ...(reportsPending ? [statusDraft({ instanceId, chat, id, pesanId, at }, 'pending')] : []),
    ];
  };
