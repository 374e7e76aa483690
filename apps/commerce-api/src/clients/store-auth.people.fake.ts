import { endpointsOf } from '@platform/http';
import { Text } from '@platform/validation';
import { fakeAccounts, type FakeUsers, type Fields } from './store-auth.accounts.fake';
import { fakeCodes } from './store-auth.codes.fake';
import { fakeMembers, type Told } from './store-auth.members.fake';

/** Who may call the fake. */
export interface FakeGuards {
  readonly public: undefined;
  readonly service: undefined;
  /** Which client asks. */
  readonly client: string;
}

/** What the routes of users read and change. */
export interface PeopleState {
  readonly users: FakeUsers;
  readonly history: object[];
  readonly pushed: Map<string, Told>;
  readonly held: () => Promise<void> | undefined;
}

const data = (value: object) => ({ status: 'success', message: 'ok', data: value });
export const endpoint = endpointsOf<FakeGuards>();
export const read = { summary: 'fake', reply: 'json' } as const;
export const json = { ...read, rawBody: true } as const;
export const bodyOf = ({ rawBody }: { rawBody: Buffer }) => JSON.parse(rawBody.toString()) as Fields;

class Query {
  @Text({ optional: true }) ids?: string;
  @Text({ optional: true }) email?: string;
}

const codeEndpoints = ({ users }: PeopleState) => {
  const codes = fakeCodes(users);
  const guard = 'service' as const;
  const codePath = '/internal/verification-codes' as const;
  return [
    endpoint({ ...json, post: codePath, guard, handle: (input) => codes.issue(bodyOf(input)) }),
    endpoint({ ...json, post: `${codePath}/consume`, guard, handle: (input) => codes.consume(bodyOf(input)) }),
  ];
};

const memberEndpoints = ({ pushed }: PeopleState) => {
  const members = fakeMembers(pushed);
  const guard = 'service' as const;
  const member = '/internal/memberships/{store_id}/{user_id}' as const;
  const keyOf = (params: { store_id: string; user_id: string }) => `${params.store_id} ${params.user_id}`;
  return [
    endpoint({
      ...json,
      put: member,
      guard,
      handle: (input) => members.member(keyOf(input.params), bodyOf(input)),
    }),
    endpoint({
      ...json,
      delete: member,
      guard,
      handle: (input) => members.member(keyOf(input.params), { removed: true, ...bodyOf(input) }),
    }),
    endpoint({
      ...json,
      put: '/internal/stores/{store_id}',
      guard,
      handle: (input) => members.store(input.params.store_id, bodyOf(input)),
    }),
  ];
};

const accountEndpoints = (parts: PeopleState) => {
  const { users, history } = parts;
  const accounts = fakeAccounts(users);
  const guard = 'service' as const;
  const user = '/internal/users/{id}' as const;
  const factor = '/internal/users/{id}/two-factor' as const;
  const page = () => data({ items: history, next_cursor: null });
  return [
    endpoint({
      ...json,
      post: '/internal/users',
      guard,
      status: 201,
      handle: async (input) => {
        const answer = accounts.create(bodyOf(input));
        await parts.held();
        return answer;
      },
    }),
    endpoint({
      ...read,
      get: '/internal/users',
      guard,
      query: Query,
      handle: ({ query: { ids = '', email } }) =>
        email === undefined ? accounts.find(ids) : accounts.findByEmail(email),
    }),
    endpoint({ ...json, put: user, guard, handle: (input) => accounts.change(input.params.id, bodyOf(input)) }),
    endpoint({
      ...json,
      put: `${user}/password`,
      guard,
      handle: (input) => accounts.changePassword(input.params.id, bodyOf(input)),
    }),
    endpoint({ ...json, post: factor, guard, handle: (input) => accounts.begin(input.params.id, bodyOf(input)) }),
    endpoint({ ...json, put: factor, guard, handle: (input) => accounts.confirm(input.params.id, bodyOf(input)) }),
    endpoint({ ...json, delete: factor, guard, handle: (input) => accounts.turnOff(input.params.id, bodyOf(input)) }),
    endpoint({ ...read, get: '/internal/auth-events', guard, handle: page }),
  ];
};

/** Users, their codes and their memberships. */
export const peopleEndpoints = (parts: PeopleState) => [
  ...accountEndpoints(parts),
  ...codeEndpoints(parts),
  ...memberEndpoints(parts),
];
