import { parityCases } from './parity.cases';
import type { ParityDriver } from './parity.driver';
import { startWorld, type RunningWorld } from './parity-world.fixture';
import type { ParityCase, ParityWorld } from './parity.world';

/** The first capability that the case needs and the engine says it lacks, which it says with a reason. */
const missingOf = async ({ client, instanceID }: ParityWorld, { needs = [] }: ParityCase) => {
  const { capabilities } = await client.data<{ capabilities: Record<string, unknown> }>(
    client.get(`/api/device-info?instanceID=${instanceID}`),
  );
  const missing = needs.find((name) => capabilities[name] !== true);
  if (missing) expect(capabilities[missing]).toEqual({ reason: expect.stringMatching(/\w+ \w+/) as string });
  return missing;
};

/** Runs every case against one engine: it passes, or says what it cannot do, and then the route says so too. */
export const describeParity = (driver: ParityDriver): void => {
  describe(`the ${driver.engine} engine`, () => {
    let world: RunningWorld | undefined;
    beforeAll(async () => {
      world = await startWorld(driver);
    });
    afterAll(() => world?.end());

    it.each(parityCases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
      if (!world) throw new Error('the network or its gateway did not start');
      const missing = await missingOf(world, each);
      await (missing === undefined ? each.run(world) : each.otherwise?.(world, missing));
    });
  });
};
