import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { changing, lifecycle, lifecycleText } from '../lifecycle/public';
import { refusals } from '../tenancy/public';
import { attachmentForm } from './attachments';
import { FinishEscalate, RequestEscalate } from './escalation.dto';
import type { EscalationService } from './escalation.service';

const form = { accepts: ['multipart', 'json'], ...attachmentForm } as const;

/** Contract, general rules: "`chat_requesthandle` is an alias of `chats/request-escalate`", and likewise for the end. */
export const escalationEndpoints = (escalations: EscalationService): Endpoint[] => [
  ...(['/v1/chats/request-escalate', '/v1/chat_requesthandle'] as const).map((post) =>
    endpoint({
      ...lifecycle({ alasan: 'minta atasan' }),
      ...form,
      post,
      summary: 'Asks another team or person for help with the chat',
      body: RequestEscalate,
      refuses: [...changing, refusals.chatFinished],
      handle: async ({ caller, body, files }) =>
        lifecycleText('success request escalate', await escalations.request(caller, body, files)),
    }),
  ),
  ...(['/v1/chats/finish-escalate', '/v1/chat_finishhandle'] as const).map((post) =>
    endpoint({
      ...lifecycle(),
      ...form,
      post,
      summary: 'Ends the help with the chat',
      body: FinishEscalate,
      refuses: changing,
      handle: async ({ caller, body, files }) =>
        lifecycleText('success finish escalate', await escalations.finish(caller, body, files)),
    }),
  ),
];
