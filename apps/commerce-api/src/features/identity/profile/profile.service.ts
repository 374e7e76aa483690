import { InvalidInput, NotFound, Unavailable } from '@platform/errors';
import type { Upload } from '@platform/http';
import { isTimeZone, type Clock } from '@platform/runtime';
import { toString as qrCode } from 'qrcode';
import type { SignedIn } from '../../../abilities';
import type { Account, AccountsClient, SecondFactorClient } from '../../../clients/store-auth.accounts';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from '../../media/uploads/public';
import type { Access, People } from '../access/public';
import type { MembershipsOfUser } from './membership.repository';
import type { Enrolment, LastProof, Me, MyStore, PasswordChange, ProfileChange, UserView } from './profile.dto';

/** Somebody with a login, as their own account needs to know them. */
export interface Person {
  readonly claims: Pick<SignedIn['claims'], 'sub' | 'sid' | 'store_id'>;
  readonly address: string;
}

export interface ProfileParts {
  readonly accounts: AccountsClient;
  readonly secondFactor: SecondFactorClient;
  readonly memberships: MembershipsOfUser;
  readonly people: People;
  readonly access: Access;
  readonly media: Pick<MediaLibrary, 'keep'>;
  readonly clock: Clock;
}

const wrong = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'invalid', message: `${field} is wrong` }]);

export const userView = (account: Account, avatar: string | null = null): UserView => ({
  id: account.user_id,
  name: account.nama,
  email: account.email,
  phone: account.phone,
  locale: account.locale,
  timezone: account.timezone,
  avatar_url: avatar,
  email_verified: account.email_verified,
  phone_verified: account.phone_verified,
  two_factor: account.two_factor,
});

/** Throws `InvalidInput` for a time zone that this machine does not know. */
export const knownZone = (timezone: string | undefined): void => {
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new InvalidInput([{ field: 'timezone', tag: 'timezone', message: 'timezone must be a known time zone' }]);
};

/** What users do with their own account. Passwords and codes are store-auth's to judge. */
export class ProfileService {
  constructor(private readonly parts: ProfileParts) {}

  async show({ claims }: Person): Promise<UserView> {
    const account = await this.parts.accounts.find(claims.sub);
    if (!account) throw new NotFound('User not found');
    return this.view(account);
  }

  async change({ claims }: Person, { name: nama, ...change }: ProfileChange): Promise<UserView> {
    knownZone(change.timezone);
    const account = await this.parts.accounts.change(claims.sub, { ...change, nama });
    await this.parts.people.remember(account);
    return this.view(account);
  }

  /** Another picture of the person, kept with the files of the store that they are in; the one before is nobody's then. */
  async portray(caller: Person, file: Upload | undefined): Promise<UserView> {
    const { media, people, clock } = this.parts;
    const { sub: userId, store_id: storeId } = caller.claims;
    const { id, url } = await media.keep({ storeId, actor: userId, at: clock.now() }, file, 'avatar');
    await people.portray(userId, { storeId, id, url: url ?? '' });
    return this.show(caller);
  }

  async changePassword({ claims }: Person, { current_password: current, password }: PasswordChange): Promise<void> {
    const { sub, sid } = claims;
    if (!(await this.parts.accounts.changePassword(sub, { current, password, sid }))) throw wrong('current_password');
    await this.parts.people.signedOutElsewhere(sub, sid);
  }

  /**
   * All other browsers and programs of the user have to sign in again, and are told nothing more. False: store-auth is away, and
   * whoever has a token of another login goes on with it.
   */
  async signOutElsewhere({ claims: { sub, sid } }: Person): Promise<boolean> {
    const all = await this.parts.accounts.endOtherLogins(sub, sid).then(
      () => true,
      (failure: unknown) => {
        if (failure instanceof Unavailable) return false;
        throw failure;
      },
    );
    await this.parts.people.signedOutElsewhere(sub, sid);
    return all;
  }

  async beginSecondFactor({ claims }: Person, password: string): Promise<Enrolment> {
    const begun = await this.parts.secondFactor.begin(claims.sub, password);
    if (!begun) throw wrong('password');
    return { ...begun, qr_svg: await qrCode(begun.otpauth_url, { type: 'svg' }) };
  }

  async confirmSecondFactor({ claims }: Person, code: string): Promise<string[]> {
    const codes = await this.parts.secondFactor.confirm(claims.sub, code);
    if (!codes) throw wrong('code');
    return [...codes];
  }

  async endSecondFactor({ claims, address }: Person, { password, code }: LastProof): Promise<void> {
    const { accounts, secondFactor } = this.parts;
    if (!(await accounts.provePassword(claims.sub, password, { ip: address }))) throw wrong('password');
    if (!(await secondFactor.turnOff(claims.sub, code))) throw wrong('code');
  }

  stores({ claims }: Person): Promise<MyStore[]> {
    return this.parts.memberships.all(claims.sub);
  }

  private async view(account: Account): Promise<UserView> {
    return userView(account, await this.parts.people.avatarOf(account.user_id));
  }

  /** Throws `Forbidden` for a login in a store whose membership has ended. */
  async me(caller: Person): Promise<Me> {
    const { store_id: storeId, sub } = caller.claims;
    const [user, member, stores, plan] = await Promise.all([
      this.show(caller),
      this.parts.access.member(storeId, sub),
      this.parts.memberships.all(sub),
      this.parts.memberships.planOf(storeId),
    ]);
    const here = stores.find(({ store }) => store.id === storeId);
    if (!here) throw refusals.notAMember();
    const { store, role } = here;
    const unread = await this.parts.memberships.unreadOf(member);
    const named = [...member.abilities].filter((need) => need !== 'member').sort();
    return { user, store, role, abilities: named, plan, unread_notifications: unread };
  }
}
