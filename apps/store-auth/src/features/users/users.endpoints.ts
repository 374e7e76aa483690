import { InvalidInput } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { internalEndpoint } from '../../endpoint';
import { success } from '../../success';
import { refusals } from '../../refusals';
import { userView } from '../internal/public';
import type { User, UserRepository } from '../accounts/public';
import {
  ChangedUserReply,
  ChangeUserBody,
  CreatedUserReply,
  CreateUserBody,
  FindUsersQuery,
  FoundUsersReply,
} from './users.dto';
import type { UserChangesService } from './user-changes.service';
import { changeUserExamples, createUserExamples, findUsersExamples } from './users.examples';
import type { UsersService } from './users.service';

const PAGE = 200;

const idsOf = (text: string): string[] => {
  const ids = text.split(',').filter(Boolean);
  if (ids.length <= PAGE && ids.every(isUuid)) return ids;
  const message = `ids must be at most ${PAGE} UUIDs with commas between them`;
  throw new InvalidInput([{ field: 'ids', tag: 'uuid', message }]);
};

const find = async (users: UserRepository, query: FindUsersQuery): Promise<User[]> => {
  if (query.email !== undefined) return [await users.byEmail(query.email)].filter((user) => user !== null);
  if (query.ids !== undefined) return users.byIds(idsOf(query.ids));
  return users.ofStore(query.store_id ?? '', query.cursor, PAGE);
};

const createUser = (service: UsersService) =>
  internalEndpoint({
    post: '/internal/users',
    summary: 'A new user, with a store of his own or a membership; repeating it is safe',
    guard: 'identity',
    status: 201,
    body: CreateUserBody,
    reply: CreatedUserReply,
    refuses: [refusals.userExists, refusals.emailTaken, refusals.storeTaken, 'tooMany'],
    examples: createUserExamples,
    handle: async ({ body: { user_id: id, nama: name, store, membership, ...body } }) => {
      const { user, challenge } = await service.create({
        ...body,
        id,
        name,
        store: store && { storeId: store.store_id, name: store.nama },
        membership: membership && {
          storeId: membership.store_id,
          role: membership.role,
          teams: membership.teams ?? [],
        },
      });
      return success('pengguna dibuat', { user: userView(user), challenge });
    },
  });

const findUsers = (users: UserRepository) =>
  internalEndpoint({
    get: '/internal/users',
    summary: 'Users by e-mail, by ids, or of a store in pages of 200',
    guard: 'identity',
    query: FindUsersQuery,
    reply: FoundUsersReply,
    refuses: [],
    examples: findUsersExamples,
    handle: async ({ query }) => {
      const found = await find(users, query);
      const full = query.email === undefined && query.ids === undefined && found.length === PAGE;
      return success('pengguna', {
        users: found.map(userView),
        next_cursor: full ? (found.at(-1)?.id ?? null) : null,
      });
    },
  });

const changeUser = (service: UserChangesService) =>
  internalEndpoint({
    put: '/internal/users/{id}',
    summary: 'Changes a profile; a disabled user loses every login',
    guard: 'identity',
    body: ChangeUserBody,
    reply: ChangedUserReply,
    refuses: [refusals.userNotFound, refusals.emailTaken],
    examples: changeUserExamples,
    handle: async ({ params, body: { nama: name, email_verified: emailVerified, ...body } }) =>
      success('pengguna diubah', {
        user: userView(await service.change(params.id, { ...body, name, emailVerified })),
      }),
  });

export const userEndpoints = (service: UsersService, changes: UserChangesService, users: UserRepository) => [
  createUser(service),
  findUsers(users),
  changeUser(changes),
];
