import type { SecretBox } from '@platform/auth';
import { InvalidInput } from '@platform/errors';

/** What a device on the Cloud API signs in and is recognised with. */
export interface CloudAccount {
  /** `phone_number_id` of Meta. */
  readonly numberId: string;
  readonly token: string;
  /** Signs the webhooks. */
  readonly appSecret: string;
  /** Answers the verification of a webhook. */
  readonly verifyToken: string;
}

/** Column `cloud_enc` of a device. */
export interface SealedCloudAccount {
  readonly phone_number_id: string;
  readonly sealed: string;
}

/** As `/api/new` takes it. */
export interface CloudCredentials {
  readonly phone_number_id: string;
  readonly token: string;
  readonly app_secret: string;
  readonly verify_token: string;
}

const purposeOf = (instanceId: string): string => `cloud account of ${instanceId}`;

/** Reads and writes what `cloud_enc` holds: secrets are sealed with WA_AUTH_KEY and bound to their device (design 6). */
export class CloudAccounts {
  constructor(
    private readonly box: SecretBox,
    /** WA_CLOUD_*, for devices that bring nothing of their own. */
    private readonly fallback: CloudCredentials | undefined,
    /** Meta's verification may come before the first device does. */
    readonly fallbackVerifyToken: string | undefined,
  ) {}

  /** Throws when neither the request nor the environment has an account. */
  seal(instanceId: string, given: CloudCredentials | undefined): SealedCloudAccount {
    const account = given ?? this.fallback;
    if (!account) throw new InvalidInput([{ field: 'cloud', tag: 'required', message: 'cloud is required' }]);
    const { phone_number_id, token, app_secret: appSecret, verify_token: verifyToken } = account;
    const sealed = this.box.seal(JSON.stringify({ token, appSecret, verifyToken }), purposeOf(instanceId));
    return { phone_number_id, sealed };
  }

  open(instanceId: string, account: SealedCloudAccount): CloudAccount {
    const secrets = JSON.parse(this.box.open(account.sealed, purposeOf(instanceId))) as Omit<CloudAccount, 'numberId'>;
    return { numberId: account.phone_number_id, ...secrets };
  }
}
