import { joined, type Area } from './area';

const area = (more: Partial<Area> = {}): Area => ({ endpoints: [], components: [], abilities: [], ...more });

it("the areas' routes, components and commands are joined in the order of the areas", () => {
  const [first, second] = [{ name: 'first' }, { name: 'second' }];
  const seed = { summary: 'fills it', run: async () => undefined };
  expect(joined([area({ components: [first], commands: { seed } }), area({ components: [second] })])).toEqual({
    endpoints: [],
    gauges: [],
    components: [first, second],
    abilities: [],
    guards: {},
    jobs: {},
    runners: [],
    pages: [],
    commands: { seed },
  });
});

it('a command or ability that two areas claim fails the start with its name', () => {
  const seed = { summary: 'fills it', run: async () => undefined };
  expect(() => joined([area({ commands: { seed } }), area({ commands: { seed } })])).toThrow(
    'seed belongs to two rooms: one of them must give it up.',
  );
  expect(() => joined([area({ abilities: ['product.read'] }), area({ abilities: ['product.read'] })])).toThrow(
    'product.read belongs to two rooms: one of them must give it up.',
  );
});
