import { hearUnforeseen, takeUnforeseen } from '../../libs/testing/src/unforeseen';

const stop = hearUnforeseen();
// Every spec file of every project: an operation lists what it refuses, or whichever test met it fails
afterAll(() => {
  stop();
  expect(takeUnforeseen()).toEqual([]);
});
