import type { Sql } from '@platform/data';
import { refusals } from './refusals';
import { requireStore, type Scope } from './scope';

const LOOKUP = `
  WITH device AS (SELECT store_id FROM device_route WHERE instance = $1)
  SELECT (SELECT store_id FROM device) AS store,
    (SELECT t.private FROM teams t WHERE t.store_id = coalesce($3, (SELECT store_id FROM device)) AND t.id = $2) AS private`;

/** Answers "may this caller look at this team on this device, and whose store is it?" in one statement. */
export class AccessRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * The store of `instance`, after the checks of design 2.1 in their order: the team exists, the caller may read it, the
   * device is the store's. Throws the refusal of the first that fails.
   */
  async enter(scope: Scope, { instance, team }: { instance: string; team: string }): Promise<string> {
    const [found] = await this.sql.prepared<{ store: string | null; private: boolean | null }>(
      'access_lookup',
      LOOKUP,
      [instance, team, scope.storeId ?? null],
    );
    const store = found?.store ?? undefined;
    // Without a tenant of its own the caller gets it from the device, so an unknown device comes first there
    if (scope.storeId === undefined) requireStore(scope, store);
    if (found?.private === null || found === undefined) throw refusals.teamNotFound();
    if (scope.teams && found.private && !scope.teams.includes(team)) throw refusals.forbiddenTeam();
    return requireStore(scope, store);
  }
}
