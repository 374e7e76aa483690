import { Flag, List, Nested, Text } from '@platform/validation';

class PushKeys {
  @Text({ max: 120, description: 'Public key of the browser: a point of P-256, uncompressed, in base64url' })
  p256dh!: string;
  @Text({ max: 40, description: '16 bytes in base64url' }) auth!: string;
}

/** As `PushSubscription.toJSON()` of a browser gives it (W3C Push API). */
export class PushSubscriptionGiven {
  @Text({ max: 2048, description: 'An https address that everybody can reach' }) endpoint!: string;
  @Nested(() => PushKeys, { optional: true, description: 'Without them the browser is removed' }) keys?: PushKeys;
  @Text({ optional: true, max: 200, trim: true, description: 'What its member knows it by' }) label?: string;
}

/** One browser of a member. Where it is reached is shown to nobody. */
export class PushDevice {
  @Text({ description: 'SHA-256 of its address, in base64url' }) id!: string;
  @Text() label!: string;
  @Text({ format: 'instant' }) created_at!: string;
}

export class PushShown {
  @Text({ nullable: true, description: '`applicationServerKey` of a subscription; null: browsers are not pushed to' })
  public_key!: string | null;
  @Flag({ description: 'Whether a push shows what was written' }) show_content!: boolean;
  @List(() => PushDevice) devices!: PushDevice[];
}
