// One configuration for every project: `jest --config jest.preset.cjs --rootDir libs/http`.
const path = require('node:path');
const { mkdirSync, readFileSync } = require('node:fs');

const swc = JSON.parse(readFileSync(path.join(__dirname, '.swcrc'), 'utf8'));

// jest writes its report (nx-plugin.cjs asks for one) without making the folder for it.
const report = process.argv.find((argument) => argument.startsWith('--outputFile='))?.slice('--outputFile='.length);
if (report) mkdirSync(path.dirname(report), { recursive: true });

module.exports = {
  testEnvironment: path.join(__dirname, 'tools/jest/environment.cjs'),
  runtime: path.join(__dirname, 'tools/jest/runtime.cjs'),
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/src/**/*.spec.tsx'],
  transform: { '\\.tsx?$': [require.resolve('@swc/jest'), { ...swc, swcrc: false }] },
  setupFiles: [path.join(__dirname, 'tools/jest/setup.ts')],
  setupFilesAfterEnv: [path.join(__dirname, 'tools/jest/refusals.ts')],
  globalSetup: path.join(__dirname, 'tools/jest/global-setup.ts'),
  globalTeardown: path.join(__dirname, 'tools/jest/global-teardown.ts'),
  maxWorkers: 2,
  testTimeout: 600_000, // for what hangs: no test is to fail because the machine is slow, and none has a limit of its own
};
