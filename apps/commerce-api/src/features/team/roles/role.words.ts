import type { SystemRole } from '../../../roles';
import type { Reader } from '../../../web/i18n/reader';

/** What a role is called: those that every store has in the reader's language, its own as the store calls them. */
export const roleName = ({ roles }: Pick<Reader, 'roles'>, name: string): string =>
  Object.hasOwn(roles, name) ? roles[name as SystemRole] : name;
