import { Anything, Text } from '@platform/validation';

/** Meta's words; whatever is missing makes the answer a 403. */
export class CloudChallenge {
  @Text({ optional: true, example: 'subscribe' }) 'hub.mode'?: string;
  @Text({ optional: true, description: 'the verify_token of a device' }) 'hub.verify_token'?: string;
  @Text({ optional: true, max: 256, description: 'comes back as it is' }) 'hub.challenge'?: string;
}

export class CloudWebhookReply {
  @Text({ example: 'success webhook' }) message!: string;
  @Anything({ nullable: true }) data!: null;
}
