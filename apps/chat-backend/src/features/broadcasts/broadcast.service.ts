import { uuidv7 } from '@platform/runtime';
import { actorOf } from '../lifecycle/public';
import { parseChatId } from '../records/public';
import { refusals, requireStore, type AccessRepository, type Scope } from '../tenancy/public';
import type { ScheduleBroadcast, SendBroadcast, SteerBroadcast } from './broadcast.dto';
import type { NewCampaign } from './broadcast.repository';
import type { BroadcastSteps, StepDependencies } from './broadcast.steps';
import { campaignBody, type ContentDependencies } from './campaign.content';
import type { CampaignKey } from './campaign.types';
import { recipientRows } from './recipient-rows';

export interface BroadcastDependencies extends Pick<StepDependencies, 'database' | 'repository'> {
  readonly access: AccessRepository;
  readonly steps: BroadcastSteps;
  readonly content: ContentDependencies;
}

const demandSupervisor = ({ supervises }: Scope): void => {
  if (!supervises) throw refusals.forbidden();
};

/** `<store>.<uuid>`, or the UUID alone for a caller who has a store; a malformed one is as unknown as an absent one. */
export const campaignKey = (scope: Scope, id: string): CampaignKey => {
  const named = parseChatId(id.includes('.') ? id : `${scope.storeId ?? ''}.${id.toLowerCase()}`);
  const storeId = requireStore(scope, named?.storeId, refusals.broadcastNotFound);
  return { storeId, broadcastId: named?.conversationId ?? '' };
};

/** Campaigns as users of the inbox make them (design 2.7); answers are BroadcastStruct. */
export class BroadcastService {
  constructor(private readonly needs: BroadcastDependencies) {}

  /** Sends at once. */
  async send(scope: Scope, request: SendBroadcast): Promise<object> {
    return this.make(scope, request, async () => ['start', null]);
  }

  /** Sends when `jadwal` has come. */
  async schedule(scope: Scope, request: ScheduleBroadcast): Promise<object> {
    return this.make(scope, request, async (store) => [
      'schedule',
      await this.needs.steps.instant(store, request.jadwal),
    ]);
  }

  async steer(scope: Scope, { broadcastId, aksi }: SteerBroadcast): Promise<object> {
    demandSupervisor(scope);
    const key = campaignKey(scope, broadcastId);
    return this.needs.steps.act(key, aksi);
  }

  /** Starts what is due, of the caller's store; how many. */
  async runDue(scope: Scope): Promise<number> {
    demandSupervisor(scope);
    return this.needs.steps.sweep(scope.storeId);
  }

  private async make(
    scope: Scope,
    request: SendBroadcast,
    plan: (storeId: string) => Promise<['start' | 'schedule', at: string | null]>,
  ): Promise<object> {
    demandSupervisor(scope);
    const { access, content, database, repository, steps } = this.needs;
    const storeId = await access.enter(scope, request);
    await access.demandUser(scope, storeId, request.user_id);
    const key = { storeId, broadcastId: request.broadcastId?.toLowerCase() ?? uuidv7() };
    // The repetition of a campaign must neither fetch its file again nor be refused for a time that has passed
    const known = request.broadcastId === undefined ? undefined : await repository.find(database, key);
    if (known) return known;
    const [action, at] = await plan(storeId);
    const body = await campaignBody(content, storeId, request);
    const { instance, team, nama, penerima = [], user_id: named } = request;
    const { type: actorType, userId: actorId } = actorOf(scope, named);
    const campaign: NewCampaign = { ...key, instance, team, nama, body, meta: null, actorType, actorId };
    const made = database.tx(async (tx) => {
      if (!(await repository.create(tx, campaign))) return undefined;
      if (penerima.length > 0) await repository.addRecipients(tx, key, recipientRows(penerima));
      await steps.take(tx, key, action, { at });
      return repository.get(tx, key);
    });
    const { intake } = this.needs.content;
    const { media } = body.content;
    const record = await made.catch(async (failure: unknown) => {
      if (media) await intake.discardAfter(failure, media);
      throw failure;
    });
    if (record) return record;
    // Another call with this id was first
    if (media) await intake.discard(media);
    return repository.get(database, key);
  }
}
