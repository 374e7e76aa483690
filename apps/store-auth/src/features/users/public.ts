// What other features of this app may use.
export type { UserChangesService } from './user-changes.service';
export { ChangePasswordBody } from './users.dto';
export type { UsersService } from './users.service';
