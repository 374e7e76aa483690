/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { BaileysDriver } from './baileys-network.fixture';
import { describeParity } from './parity.contract';

const driver = new BaileysDriver();
let unlisted: readonly string[] | undefined;
const stop = driver.stop.bind(driver);
driver.stop = async () => {
  unlisted = driver.sandbox.state().unlistedIqs;
  await stop();
};

describeParity(driver);

afterAll(() => {
  // Something the sandbox does not know would make what was proved above worthless
  expect(unlisted).toEqual([]);
});
