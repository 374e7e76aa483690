import type { Database, PageCursor } from '@platform/data';
import { claimedOnce, joinRooms, type GuardMap, type Room, type Service } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import type { Tasks } from '@platform/jobs';
import type { Ability } from './abilities';
import type { Callers } from './endpoint';
import type { CommerceJobs, Queue } from './jobs';
import type { Live } from './live/public';
import type { Pages } from './web/kit';

/** What every area is built on. */
export interface AreaParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of lists that are read by position. */
  readonly cursors: PageCursor;
  /** Enqueues in the caller's transaction. */
  readonly queue: Queue;
  /** Tells the sockets of members, after the caller's commit. */
  readonly live: Live;
}

/** What one area of the shop adds to the service; its `<area>.composition.ts` makes it. */
export interface Area extends Room<Tasks<CommerceJobs>> {
  /** The abilities that guard its routes. */
  readonly abilities: readonly Ability[];
  /** Guards of its own, of links that open single things. */
  readonly guards?: Partial<GuardMap<Callers>>;
  /** What people see of it. */
  readonly pages?: readonly Pages[];
}

/** Joins the areas. Throws with the name of a command, a job or an ability that two of them claim. */
export const joined = (areas: readonly Area[]): Required<Area> => {
  const abilities = areas.flatMap((area) => area.abilities);
  claimedOnce(abilities);
  const guards = Object.assign({}, ...areas.map((area) => area.guards)) as Required<Area>['guards'];
  const pages = areas.flatMap((area) => area.pages ?? []);
  return { ...joinRooms(areas), abilities, guards, pages };
};

/** Commands that find the database open. */
export const onDatabase = (database: Database, commands: Required<Area>['commands']): Service['commands'] =>
  Object.fromEntries(
    Object.entries(commands ?? {}).map(([name, command]) => {
      const run = async (args: readonly string[]): Promise<void> => {
        await database.start?.();
        await command.run(args);
      };
      return [name, { ...command, run }];
    }),
  );
