import { Choice, Flag, Int, List, Nested, Phone, Text, Texts, clearing } from '@platform/validation';

export const locales = ['id', 'en'] as const;
export const storeStates = ['open', 'closed', 'suspended'] as const;

/** Bytes of a picture. */
export const AVATAR_LIMIT = 2 * 1024 * 1024;

/** The design's User (2.2). */
export class UserView {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text() email!: string;
  @Text({ nullable: true }) phone!: string | null;
  @Text() locale!: string;
  @Text() timezone!: string;
  @Text({ nullable: true }) avatar_url!: string | null;
  @Flag() email_verified!: boolean;
  @Flag() phone_verified!: boolean;
  @Flag() two_factor!: boolean;
}

class Reachable {
  @Phone({ optional: true }) phone?: string;
}

export class ProfileChange extends clearing(Reachable, { phone: null }) {
  @Text({ optional: true, max: 100, trim: true }) name?: string;
  @Choice(locales, { optional: true }) locale?: (typeof locales)[number];
  @Text({ optional: true, max: 64, trim: true, description: 'Name of the IANA data base, such as Asia/Jakarta' })
  timezone?: string;
}

export class PasswordChange {
  @Text({ max: 128 }) current_password!: string;
  @Text({ min: 8, max: 128 }) password!: string;
}

export class PasswordProof {
  @Text({ max: 128 }) password!: string;
}

export class FirstCode {
  @Text({ max: 16, trim: true, description: 'Six digits of the authenticator' }) code!: string;
}

export class LastProof extends PasswordProof {
  @Text({ max: 32, trim: true, description: 'Six digits of the authenticator, or a recovery code' }) code!: string;
}

export class Enrolment {
  @Text({ description: 'Base32, for typing it in' }) secret!: string;
  @Text() otpauth_url!: string;
  @Text({ description: 'The address as a picture' }) qr_svg!: string;
}

export class RecoveryCodes {
  @Texts({ description: 'Shown this once' }) recovery_codes!: string[];
}

export class RoleName {
  @Text({ description: 'The name of a role that every store has, or the id of one of its own' }) id!: string;
  @Text() name!: string;
}

export class StoreName {
  @Text() id!: string;
  @Text() name!: string;
  @Text() slug!: string;
  @Choice(storeStates) status!: (typeof storeStates)[number];
}

export class MyStore {
  @Nested(() => StoreName) store!: StoreName;
  @Nested(() => RoleName) role!: RoleName;
  @Choice(['active', 'disabled']) status!: 'active' | 'disabled';
}

export class MyStoresAnswer {
  @List(() => MyStore) data!: MyStore[];
}

export class PlanName {
  @Text() code!: string;
  @Text() status!: string;
}

export class Me {
  @Nested(() => UserView) user!: UserView;
  @Nested(() => StoreName) store!: StoreName;
  @Nested(() => RoleName) role!: RoleName;
  @Texts() abilities!: string[];
  @Nested(() => PlanName, { nullable: true, description: 'Null for a store without a subscription' })
  plan!: PlanName | null;
  @Int() unread_notifications!: number;
}
