// One configuration for every project: `jest --config jest.preset.cjs --rootDir libs/http`.
const path = require('node:path');
const { readFileSync } = require('node:fs');

const swc = JSON.parse(readFileSync(path.join(__dirname, '.swcrc'), 'utf8'));

module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/src/**/*.spec.tsx'],
  transform: { '\\.tsx?$': [require.resolve('@swc/jest'), { ...swc, swcrc: false }] },
  setupFiles: [path.join(__dirname, 'tools/jest/setup.ts')],
  globalSetup: path.join(__dirname, 'tools/jest/global-setup.ts'),
  globalTeardown: path.join(__dirname, 'tools/jest/global-teardown.ts'),
  maxWorkers: 2,
  testTimeout: 20_000,
};
