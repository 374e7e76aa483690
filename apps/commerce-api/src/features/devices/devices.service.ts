import type { Database, ListedPage, Sql } from '@platform/data';
import { Conflict, NotFound, UpstreamFailed, UpstreamTimedOut, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { GatewayDevice, WaGateway } from '../../clients/wa.gateway';
import { audited, type By, type Writer } from '../../by';
import type { CommerceJobs, Queue } from '../../jobs';
import { limits } from '../../limits';
import type { ChosenAgent, KnownAgent } from '../agents/agents/public';
import type { ChatCopies } from '../chat/copies/public';
import { demandSeen } from '../../web/seen';
import type { Device, DeviceChange, DeviceCode, DevicesQuery, NewDevice } from './devices.dto';
import type { DeviceStates } from './device.states';
import {
  deleteDevice,
  deviceListing,
  deviceRow,
  insertDevice,
  isMade,
  setNumbers,
  updateDevice,
  type DeviceRow,
} from './devices.sql';

/** When the screen asks for the code again. */
const NEXT_CODE_SECONDS = 3;

export const deviceRefusals = {
  connected: (): Failure => new Conflict('The device is connected already', { code: 'device_already_connected' }),
  noCode: (): Failure =>
    new Conflict('There is no code yet: ask again', {
      ...{ code: 'qrcode_not_ready', retryAfterSeconds: NEXT_CODE_SECONDS },
    }),
} as const;

export interface DevicesParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly copies: ChatCopies;
  /** Undefined: no device can be connected. */
  readonly gateway: WaGateway | undefined;
  readonly states: DeviceStates;
  readonly demand: {
    /** In a transaction: throws `NotFound` for a chat team that the store has not. */
    readonly team: (tx: Sql, storeId: string, teamId: string) => Promise<void>;
    /** Not in a transaction: throws `NotFound` for an AI agent that the store has not, and what a face throws. */
    readonly agent: KnownAgent;
    readonly chosen: ChosenAgent;
    /** In a transaction: there is a team for the chats of the store's devices. */
    readonly firstTeam: (tx: Sql, by: Writer) => Promise<void>;
  };
  /** In a transaction: what is automatic on this device alone is off from now on. */
  readonly forget: (tx: Sql, by: By, deviceId: string) => Promise<void>;
}

/** What people change of a device. */
export const editableOf = ({ name, chat_team_id, bot_agent_id }: Omit<DeviceRow, 'id' | 'instance_id' | 'number'>) => ({
  ...{ name, chat_team_id, bot_agent_id },
});

const viewOf = (
  { id, instance_id, name, number, chat_team_id, bot_agent_id }: DeviceRow,
  state?: GatewayDevice | null,
): Device => ({
  ...{ id, instance_id, name, number: state?.number ?? number },
  ...{ status: state?.status ?? 'unknown', chat_team_id, bot_agent_id },
  ...{ connected_at: state?.connected_at ?? null, last_seen_at: state?.last_seen ?? null },
});

/** What was sent and not answered may have been done. */
const mayBeDone = (failure: unknown): boolean =>
  (failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut) && failure.unknown;

/**
 * The WhatsApp numbers of stores. The row is here, the session at wa-gateway under the row's instance id: whatever dies between the two, the
 * next who looks makes the session that is missing, and the same id is never two of them.
 */
export class DevicesService {
  constructor(private readonly parts: DevicesParts) {}

  async list(by: By, query: DevicesQuery): Promise<ListedPage<Device>> {
    const { database, states } = this.parts;
    const page = await deviceListing.page(database, by.storeId, query);
    const known = await states.of(page.rows.map((row) => row.instance_id));
    await this.numbered(by, page.rows, (row) => known.get(row.instance_id));
    return { ...page, rows: page.rows.map((row) => viewOf(row, known.get(row.instance_id))) };
  }

  async show(by: By, id: string): Promise<Device> {
    const row = await deviceRow(this.parts.database, by.storeId, id);
    const state = (await this.parts.states.of([row.instance_id])).get(row.instance_id);
    await this.numbered(by, [row], () => state);
    return viewOf(row, state);
  }

  /**
   * chat-backend knows it before the gateway makes its session. Throws `plan_limit`. When one of the two does not do its part there is no
   * device, and its place is free again. The same `id` again is the same device.
   */
  async add(by: Writer, { name, ...given }: NewDevice, id = uuidv7()): Promise<Device> {
    const { database, states } = this.parts;
    const { gateway } = this;
    const [number, chat_team_id] = [given.number ?? null, given.chat_team_id ?? null];
    const row: DeviceRow = { id, instance_id: `dev-${id}`, name, number, chat_team_id, bot_agent_id: null };
    const isNew = await database.tx(async (tx) => {
      if (await isMade(tx, by.storeId, id)) return false;
      await this.parts.demand.firstTeam(tx, by);
      await limits.require(tx, by.storeId, 'devices');
      if (chat_team_id !== null) await this.parts.demand.team(tx, by.storeId, chat_team_id);
      await insertDevice(tx, by, row);
      await this.told(tx, by, undefined, row);
      return true;
    });
    if (!isNew) return this.show(by, id);
    try {
      // Whoever writes to the number at once is to be known as a customer of the shop
      await this.parts.copies.pushNow(by.storeId, 'devices');
      await gateway.open(row.instance_id, name);
    } catch (failure) {
      await this.undo(by, row, mayBeDone(failure));
      throw failure;
    }
    states.forget(row.instance_id);
    return viewOf(row);
  }

  /**
   * Throws `NotFound`, also for a chat team and an AI agent that the store has not, and `version_conflict` when the device is not any more
   * what was `seen` of it.
   */
  async change(by: Writer, id: string, change: DeviceChange, seen?: string): Promise<Device> {
    const { bot_agent_id: agent } = change;
    const { bot_agent_id: known } = await deviceRow(this.parts.database, by.storeId, id);
    if (agent && agent !== known) await this.parts.demand.agent(by, agent, 'bot_agent_id');
    await this.parts.database.tx(async (tx) => {
      const before = await deviceRow(tx, by.storeId, id, true);
      demandSeen(seen, editableOf(before));
      if (change.chat_team_id) await this.parts.demand.team(tx, by.storeId, change.chat_team_id);
      const after = { ...before, ...change };
      await updateDevice(tx, by, after);
      if (agent) await this.parts.demand.chosen(tx, by.storeId, agent);
      await this.told(tx, by, before, after);
    });
    return this.show(by, id);
  }

  /** Its session ends first: nobody is to be left with a number that answers for a shop that does not see it. */
  async remove(by: Writer, id: string): Promise<void> {
    const row = await deviceRow(this.parts.database, by.storeId, id);
    await this.ended(row.instance_id);
    await this.drop(by, row);
  }

  /** Throws `device_already_connected` and `qrcode_not_ready`. */
  async code({ storeId }: By, id: string): Promise<DeviceCode> {
    const { gateway } = this;
    const row = await deviceRow(this.parts.database, storeId, id);
    const { status } = await this.session(storeId, row);
    if (status === 'connected') throw deviceRefusals.connected();
    const code = await gateway.pairingCode(row.instance_id);
    if (!code) throw deviceRefusals.noCode();
    const { qrcode, attempt, expired_at: expires_at } = code;
    return { qrcode, attempt, expires_at };
  }

  /** As the gateway tells now. */
  async status(by: By, id: string): Promise<GatewayDevice> {
    const row = await deviceRow(this.parts.database, by.storeId, id);
    const state = await this.session(by.storeId, row);
    this.parts.states.heard(row.instance_id, state);
    await this.numbered(by, [row], () => state);
    return state;
  }

  async logout(by: Writer, id: string): Promise<void> {
    const row = await deviceRow(this.parts.database, by.storeId, id);
    await this.ended(row.instance_id);
    this.parts.states.forget(row.instance_id);
    const written = { action: 'device.write', type: 'device', id };
    const session = { before: { session: 'open' }, after: { session: 'ended' } };
    await this.parts.database.tx((tx) => audited(tx, by, { ...written, ...session }));
  }

  /** The job: ends a session whose device was not made. */
  async end({ instance }: CommerceJobs['device.end']): Promise<void> {
    await this.ended(instance);
  }

  private get gateway(): WaGateway {
    const { gateway } = this.parts;
    if (gateway) return gateway;
    throw new UpstreamFailed('there is no wa-gateway', { outcome: 'undone' });
  }

  private async session(storeId: string, row: DeviceRow): Promise<GatewayDevice> {
    const { gateway } = this;
    try {
      return await gateway.device(row.instance_id);
    } catch (failure) {
      if (!(failure instanceof NotFound)) throw failure;
    }
    await gateway.open(row.instance_id, row.name);
    this.parts.states.forget(row.instance_id);
    // Whoever removed it meanwhile found no session to end
    await deviceRow(this.parts.database, storeId, row.id).catch(async (gone: unknown) => {
      await this.ended(row.instance_id);
      throw gone;
    });
    return gateway.device(row.instance_id);
  }

  private async ended(instance: string): Promise<void> {
    await this.gateway.logout(instance).catch((failure: unknown) => {
      if (!(failure instanceof NotFound)) throw failure;
    });
  }

  private async undo(by: Writer, row: DeviceRow, mayBeThere: boolean): Promise<void> {
    const { queue } = this.parts;
    const [storeId, instance] = [by.storeId, row.instance_id];
    await this.drop(by, row, async (tx) => {
      if (mayBeThere) await queue.enqueue(tx, 'device.end', { storeId, instance }, { key: `device.end:${instance}` });
    });
  }

  /** Of two who remove it one gives its place back. */
  private async drop(
    by: Writer,
    row: DeviceRow,
    also: (tx: Sql) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { database, states, forget } = this.parts;
    await database.tx(async (tx) => {
      if (!(await deleteDevice(tx, by.storeId, row))) return;
      await limits.giveBack(tx, by.storeId, 'devices');
      await forget(tx, by, row.id);
      await this.told(tx, by, row, undefined);
      await also(tx);
    });
    states.forget(row.instance_id);
  }

  /** A number that the gateway tells and chat-backend has not heard of is told on. */
  private async numbered(
    by: By,
    rows: readonly DeviceRow[],
    stateOf: (row: DeviceRow) => GatewayDevice | null | undefined,
  ): Promise<void> {
    const news = rows.flatMap((row): (readonly [string, string])[] => {
      const number = stateOf(row)?.number;
      return number && number !== row.number ? [[row.instance_id, number]] : [];
    });
    if (news.length === 0) return;
    await this.parts.database.tx(async (tx) => {
      const changed = await setNumbers(tx, by, news);
      await this.parts.copies.touched(tx, by.storeId, 'devices', changed);
    });
  }

  private async told(tx: Sql, by: Writer, before?: DeviceRow, after?: DeviceRow): Promise<void> {
    const row = after ?? before;
    if (!row) return;
    await audited(tx, by, { action: 'device.write', type: 'device', id: row.id, before, after });
    await this.parts.copies.touched(tx, by.storeId, 'devices', [row.instance_id]);
  }
}
