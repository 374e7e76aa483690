import { PlainText } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { CloudChallenge, CloudWebhookReply } from './cloud-webhook.dto';
import { verifyExamples } from './cloud-webhook.examples';
import type { CloudWebhookService } from './cloud-webhook.service';

/** Meta's own limit is 3 MB. */
const BODY_LIMIT = 4 * 1024 * 1024;

const verify = (webhook: CloudWebhookService) =>
  endpoint({
    get: '/webhook/cloud',
    summary: 'Meta verifies the address of the webhook',
    tag: 'cloud',
    guard: 'signed',
    query: CloudChallenge,
    reply: 'text',
    refuses: [refusals.verifyToken],
    examples: verifyExamples,
    handle: async ({ query }) => {
      await webhook.verify(query['hub.mode'], query['hub.verify_token']);
      return new PlainText(query['hub.challenge'] ?? '');
    },
  });

const receive = (webhook: CloudWebhookService) =>
  endpoint({
    post: '/webhook/cloud',
    summary: 'Messages and statuses from Meta; 200 means that they are stored',
    description: 'Signed with X-Hub-Signature-256 over the body, by the app secret of the device that it names.',
    tag: 'cloud',
    guard: 'signed',
    rawBody: true,
    bodyLimit: BODY_LIMIT,
    reply: CloudWebhookReply,
    refuses: [refusals.wrongSignature],
    handle: async ({ rawBody, headers }) => {
      const signature = headers['x-hub-signature-256'];
      const passedOn = headers['x-gateway-forwarded'] !== undefined;
      await webhook.receive(rawBody, typeof signature === 'string' ? signature : undefined, passedOn);
      return { message: 'success webhook', data: null };
    },
  });

export const cloudWebhookEndpoints = (webhook: CloudWebhookService) => [verify(webhook), receive(webhook)];
