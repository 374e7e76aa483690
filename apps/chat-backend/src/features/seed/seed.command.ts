import type { Database } from '@platform/data';

/** The parts of the demo shop that this service keeps. */
export interface DemoShop {
  readonly store: { readonly store_id: string; readonly nama: string; readonly tz: string };
  readonly team: { readonly id: string; readonly nama: string };
  readonly instance: string;
  readonly device: { readonly nama: string; readonly nohp: string };
  readonly ai_agent?: { readonly id: string };
  readonly owner: Person;
  readonly agents: readonly (Person & { readonly teams: readonly string[] })[];
}

interface Person {
  readonly user_id: string;
  readonly nama: string;
  readonly email: string;
}

const STEPS: readonly [sql: string, values: (shop: DemoShop) => unknown[]][] = [
  [
    'INSERT INTO stores (store_id, nama, tz) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    ({ store }) => [store.store_id, store.nama, store.tz],
  ],
  [
    "INSERT INTO teams (store_id, id, nama, kind) VALUES ($1, $2, $3, 'cs') ON CONFLICT DO NOTHING",
    ({ store, team }) => [store.store_id, team.id, team.nama],
  ],
  [
    // Whoever asks for help without naming a team asks this one
    "INSERT INTO teams (store_id, id, nama, kind) VALUES ($1, 'supervisor', 'Supervisor', 'supervisor') ON CONFLICT DO NOTHING",
    ({ store }) => [store.store_id],
  ],
  [
    'INSERT INTO users (store_id, user_id, nama, email, role) SELECT $1, u.user_id, u.nama, u.email, u.role FROM json_to_recordset($2::json) AS u (user_id text, nama text, email text, role text) ON CONFLICT DO NOTHING',
    ({ store, owner, agents }) => [
      store.store_id,
      JSON.stringify([{ ...owner, role: 'owner' }, ...agents.map((agent) => ({ ...agent, role: 'agent' }))]),
    ],
  ],
  [
    'INSERT INTO team_members (store_id, team_id, user_id) SELECT $1, t.team, t.user_id FROM json_to_recordset($2::json) AS t (team text, user_id text) ON CONFLICT DO NOTHING',
    ({ store, owner, agents }) => [
      store.store_id,
      JSON.stringify([
        { team: 'supervisor', user_id: owner.user_id },
        ...agents.flatMap(({ user_id, teams }) => teams.map((team) => ({ team, user_id }))),
      ]),
    ],
  ],
  [
    'INSERT INTO device_route (instance, store_id) VALUES ($2, $1) ON CONFLICT DO NOTHING',
    ({ store, instance }) => [store.store_id, instance],
  ],
  [
    'INSERT INTO devices (store_id, instance, nama, nohp, default_team_id, bot_agent_id) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
    ({ store, instance, device, team, ai_agent: agent }) => [
      store.store_id,
      instance,
      device.nama,
      device.nohp,
      team.id,
      agent?.id ?? null,
    ],
  ],
];

/** Makes the demo shop; what is there already stays as it is. */
export const seed =
  (database: Database) =>
  async ([json]: readonly string[]): Promise<void> => {
    if (!json) throw new Error('seed needs one argument: the demo shop as JSON');
    const shop = JSON.parse(json) as DemoShop;
    await database.start?.();
    await database.tx(async (tx) => {
      for (const [sql, values] of STEPS) await tx.query(sql, values(shop));
    });
    await database.stop?.();
  };
