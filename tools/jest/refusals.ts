import { hearUnforeseen, takeUnforeseen } from '../../libs/testing/src/unforeseen';

const stop = hearUnforeseen();
// In every spec file of every project: a spec file fails when an operation answered a refusal that it does not list
afterAll(() => {
  stop();
  expect(takeUnforeseen()).toEqual([]);
});
