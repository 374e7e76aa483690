import { area, cursorPage, dataOf, done, uuid, type Endpoint } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { CaseRepository } from './case.repository';
import { CasesQuery, CaseView, EvalRunView, EvalWish, NewCase } from './eval.dto';
import { evalRefusals, type EvalsService } from './evals.service';

const caseId = { id: uuid.refusing(evalRefusals.caseNotFound) };
const { caseNotFound, evalNotFound, evalRunning, idTaken, noCases, runNotFound, tooManyCases } = evalRefusals;

const caseEndpoints = (evals: EvalsService, cases: Pick<CaseRepository, 'list'>): Endpoint[] => [
  internalEndpoint({
    get: '',
    summary: 'Cases that agents have to pass, in the order in which they are played',
    guard: 'service',
    query: CasesQuery,
    reply: cursorPage(CaseView),
    refuses: [],
    handle: ({ caller, query }) => cases.list(caller.storeId, query),
  }),
  internalEndpoint({
    post: '',
    summary: 'Adds a case, written out or as a turn went; the same id and body again are the same case',
    guard: 'service',
    status: 201,
    body: NewCase,
    reply: dataOf(CaseView, 'Case saved'),
    refuses: [refusals.agentNotFound, runNotFound, idTaken, tooManyCases],
    handle: ({ caller, body }) => evals.add(caller.storeId, body),
  }),
  internalEndpoint({
    get: '/{id}',
    summary: 'One case',
    guard: 'service',
    params: caseId,
    reply: dataOf(CaseView),
    refuses: [caseNotFound],
    handle: ({ caller, params }) => evals.find(caller.storeId, params.id),
  }),
  internalEndpoint({
    delete: '/{id}',
    summary: 'Deletes a case; results of it stay',
    guard: 'service',
    params: caseId,
    reply: done('Case deleted'),
    refuses: [caseNotFound],
    handle: ({ caller, params }) => evals.remove(caller.storeId, params.id),
  }),
];

export const evalsEndpoints = (evals: EvalsService, cases: Pick<CaseRepository, 'list'>): Endpoint[] =>
  area({ prefix: '/internal/evals' }, [
    ...caseEndpoints(evals, cases),
    internalEndpoint({
      post: '/run',
      summary: 'Plays all cases of an agent, with another prompt or model when asked to; nothing leaves',
      guard: 'service',
      status: 202,
      body: EvalWish,
      reply: dataOf(EvalRunView, 'Evaluation started'),
      refuses: [refusals.agentNotFound, evalRunning, noCases],
      handle: ({ caller, body }) => evals.start(caller.storeId, body),
    }),
    internalEndpoint({
      get: '/runs/{id}',
      summary: 'An evaluation and the cases that it has played so far',
      guard: 'service',
      params: { id: uuid.refusing(evalNotFound) },
      reply: dataOf(EvalRunView),
      refuses: [evalNotFound],
      handle: ({ caller, params }) => evals.run(caller.storeId, params.id),
    }),
  ]);
