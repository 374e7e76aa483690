// What other features of this app may use.
export { Membership, type MembershipStatus, type StoredStatus } from './membership.entity';
export { chooseStore } from './store-choice';
export { Store, type StoreStatus } from './store.entity';
export { User, type UserStatus } from './user.entity';
export {
  normalisedEmail,
  type NewUser,
  type StoreMembership,
  type UserRepository,
  type Verified,
} from './users.repository';
