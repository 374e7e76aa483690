import { area, cursorPage, dataOf, uuid, type Endpoint } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { runRefusals, type Replays } from './replay';
import { Replay, ReplayView, RunRow, RunsQuery, RunView } from './run.dto';
import type { RunRepository } from './run.repository';

const id = uuid.refusing(runRefusals.runNotFound);

export const runsEndpoints = (runs: RunRepository, replays: Replays): Endpoint[] =>
  area({ prefix: '/internal/runs' }, [
    internalEndpoint({
      get: '',
      summary: 'Turns of the bot, newest first',
      guard: 'service',
      query: RunsQuery,
      reply: cursorPage(RunRow),
      refuses: [],
      handle: ({ caller, query }) => runs.list(caller.storeId, query),
    }),
    internalEndpoint({
      get: '/{id}',
      summary: 'One turn: what was said, every call of a tool, what the models cost',
      guard: 'service',
      params: { id },
      reply: dataOf(RunView),
      refuses: [runRefusals.runNotFound],
      handle: async ({ caller, params }) => {
        const run = await runs.find(caller.storeId, params.id);
        if (!run) throw runRefusals.runNotFound();
        return run.view;
      },
    }),
    internalEndpoint({
      post: '/{id}/replay',
      summary:
        'Plays a turn again with the recorded results of its tools; sends and orders nothing, and leaves but what it cost',
      guard: 'service',
      params: { id },
      body: Replay,
      reply: dataOf(ReplayView),
      rate: { requests: 30, perSeconds: 60, by: 'caller' },
      refuses: [...Object.values(runRefusals), refusals.agentNotFound, refusals.storeNotFound],
      handle: ({ caller, params, body, signal }) => replays.play(caller.storeId, params.id, body, signal),
    }),
  ]);
