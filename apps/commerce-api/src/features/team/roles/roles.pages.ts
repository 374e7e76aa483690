import { NotFound } from '@platform/errors';
import { Text } from '@platform/validation';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { Seen } from '../../../web/seen';
import { within } from '../../../web/within';
import { RoleBody } from './roles.dto';
import { RolesService, type TeamParts } from './roles.service';
import { roleTexts } from './roles.texts';
import { RolesView } from './roles.view';

class RolesQuery {
  @Text({ optional: true, max: 36, description: 'The role that is looked at' }) id?: string;
}
class RoleEdit extends RoleBody {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}
class RoleNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/roles';
const labels = (t: Reader) => {
  const { name, abilities } = roleTexts(t);
  return { name, abilities, 'abilities[]': abilities };
};
const conflicts = {
  name_taken: { field: 'name', text: (t: Reader) => t.form.rules.unique({ label: roleTexts(t).name }) },
  in_use: { text: (t: Reader) => roleTexts(t).inUse },
  too_many_roles: { text: (t: Reader) => roleTexts(t).tooMany },
  system_role: { text: (t: Reader) => roleTexts(t).isSystem },
};

/** Where no box is ticked nothing is sent: such a role may only come in. */
const boxed = (typed: Typed): Typed => ({ abilities: [], ...typed });
const idIn = (typed: Typed | undefined): string | undefined => (typeof typed?.id === 'string' ? typed.id : undefined);

/** What the API's roles are to people. */
export const rolesPages = (parts: TeamParts): Pages => {
  const roles = (database: TeamParts['database'] = parts.database) => new RolesService({ ...parts, database });
  const all = page({
    ...{ get: TO, ability: 'team.manage', back: '/team', query: RolesQuery, labels, conflicts },
    title: ({ t }) => roleTexts(t).title,
    load: async ({ viewer: { caller }, query, typed }) => {
      const list = await roles().list(caller.storeId);
      const id = typed ? idIn(typed) : query.id;
      const one = list.find((role) => role.id === id);
      if (query.id !== undefined && !one) throw new NotFound('Role not found');
      return { roles: list, one };
    },
    view: RolesView,
  });
  const posted = actions({
    ...{ post: TO, ability: 'team.manage', of: all },
    on: {
      create: action({
        ...{ body: RoleBody, reads: boxed },
        run: ({ viewer, body, tx }) => roles(within(tx)).create(viewer.caller, body),
        done: ({ name }, { t }) => ({ to: TO, flash: roleTexts(t).created({ name }) }),
      }),
      save: action({
        ...{ body: RoleEdit, reads: boxed },
        run: ({ viewer, body: { id, seen, ...body }, tx }) => roles(within(tx)).change(viewer.caller, id, body, seen),
        done: ({ name }, { t }) => ({ to: TO, flash: roleTexts(t).saved({ name }) }),
      }),
      remove: action({
        body: RoleNamed,
        run: ({ viewer, body, tx }) => roles(within(tx)).remove(viewer.caller, body.id),
        done: (_, { t }) => ({ to: TO, flash: roleTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
