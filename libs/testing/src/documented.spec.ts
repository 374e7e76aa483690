import { chatEnvelope } from '@platform/envelopes';
import { endpointsOf, publicGuard, type Service } from '@platform/http';
import { Int, List, Text } from '@platform/validation';
import { documentedAnswers } from './documented';
import { exampleCases } from './examples';

class Part {
  @Text() sku!: string;
}

class Thing {
  @Text() id!: string;
  @List(() => Part, { optional: true }) parts?: Part[];
  @Int({ nullable: true }) count!: number | null;
}

const endpoint = endpointsOf<{ public: undefined }>();
const service: Service = {
  name: 'sample',
  description: 'A service for this test',
  endpoints: [
    endpoint({
      get: '/things/{id}',
      summary: 'One thing',
      guard: 'public',
      reply: Thing,
      examples: [{ summary: 'the first', status: 200, response: { result: true, id: '1', count: null } }],
      handle: ({ params }) => ({ id: params.id, count: null }),
    }),
  ],
  guards: { public: publicGuard },
  envelope: chatEnvelope,
  components: [],
};

describe('the check of answers (documentedAnswers)', () => {
  const misfits = documentedAnswers(service);
  it('accepts answers as described', () =>
    expect(misfits('GET', '/things/7?x=1', 200, { result: true, id: '7', count: null })).toEqual([]));
  it('names what matches neither the success nor the refusal of that status', () =>
    expect(misfits('GET', '/things/7', 200, { result: false, count: 'x' })).toEqual([
      '/result must be equal to constant',
      "/ must have required property 'id'",
      '/count must be integer,null',
    ]));
  it('names undeclared members at every depth, the envelope aside', () => {
    const answer = { result: true, id: '7', count: null };
    expect(misfits('GET', '/things/7', 200, { ...answer, passwordHash: 'x' })).toEqual([
      '/passwordHash is not documented',
    ]);
    expect(misfits('GET', '/things/7', 200, { ...answer, parts: [{ sku: 'a' }, { sku: 'b', cost: 1 }] })).toEqual([
      '/parts/1/cost is not documented',
    ]);
  });
  it('checks refusals as well as successes', () =>
    expect([
      misfits('GET', '/things/7', 200, { result: false, message: 'no such thing' }),
      misfits('GET', '/things/7', 500, { result: false, message: 'an unexpected text', code: 'internal' }),
      misfits('GET', '/things/7', 409, {}),
    ]).toEqual([[], ['/message must be equal to constant'], ['status 409 is not documented']]));
  it('ignores paths that are not mounted', () => expect(misfits('GET', '/elsewhere', 200, {})).toEqual([]));
});

describe('the list of examples (exampleCases)', () => {
  it('has every documented example as a request and its answer', () =>
    expect(exampleCases(service)).toEqual([
      {
        name: 'GET /things/{id}: the first',
        method: 'GET',
        path: '/things/{id}',
        guard: 'public',
        request: undefined,
        status: 200,
        response: { result: true, id: '1', count: null },
      },
    ]));
});
