import { chatEnvelope } from '@platform/envelopes';
import { endpointsOf, publicGuard, type Service } from '@platform/http';
import { Int, Text } from '@platform/validation';
import { documentedAnswers } from './documented';
import { exampleCases } from './examples';

class Thing {
  @Text() id!: string;
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

describe('documentedAnswers', () => {
  const misfits = documentedAnswers(service);
  it('accepts what the description says', () =>
    expect(misfits('GET', '/things/7?x=1', 200, { result: true, id: '7', count: null })).toEqual([]));
  it('names what does not fit, the envelope included', () =>
    expect(misfits('GET', '/things/7', 200, { result: false, count: 'x' })).toEqual([
      '/result must be equal to constant',
      "/ must have required property 'id'",
      '/count must be integer,null',
    ]));
  it('leaves alone what is not described', () =>
    expect([misfits('GET', '/things/7', 404, {}), misfits('GET', '/elsewhere', 200, {})]).toEqual([[], []]));
});

describe('exampleCases', () => {
  it('lists every documented example as a question and its answer', () =>
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
