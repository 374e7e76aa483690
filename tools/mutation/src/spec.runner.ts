import type { MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core';
import type {
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  MutantRunStatus,
  TestResult,
  TestRunner,
} from '@stryker-mutator/api/test-runner';
import { environment } from '@platform/runtime';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata';
import { FreshModules } from './fresh-modules';
import { declareOnly, provideGlobals, runSpec, type Outcome } from './spec.run';

/** What changed code and its runner tell each other. */
interface Switch {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: MutantCoverage;
}

/** A test that a mutant lets wait for ever is given up after this and twenty times what it took before: others use the machine too. */
const PATIENCE_MS = 5_000;
const LONGEST_MS = 60_000;
const DURATIONS = '.durations.json';
const SURVIVED = 'survived' as MutantRunStatus.Survived;
const NAMESPACE = '__stryker__';
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

const resultOf = (fileName: string, { failure, ...test }: Outcome): TestResult =>
  failure === undefined
    ? { ...test, fileName, status: 0 as never }
    : { ...test, fileName, status: 1 as never, failureMessage: failure };

/** Code that a hook of a spec ran serves each of its tests. */
const shareOfHooks = ({ perTest }: MutantCoverage, hooks: string, ids: readonly string[]): void => {
  const shared = perTest[hooks];
  delete perTest[hooks];
  for (const [mutant, hits] of Object.entries(shared ?? {}))
    for (const id of ids) {
      const own = (perTest[id] ??= {});
      own[mutant] = (own[mutant] ?? 0) + hits;
    }
};

/**
 * Runs only the specs whose tests meet a mutant, in one process, each time with the workspace's modules loaded anew. Stryker's own
 * runner for jest loads every related spec and all its packages for each mutant, which takes seconds.
 */
export class SpecRunner implements TestRunner {
  static readonly inject = ['options'];
  private readonly copy = realpathSync(process.cwd());
  private readonly modules = new FreshModules(this.copy);
  private readonly specs: readonly string[];
  /** Written by the process that ran everything first, read by all. */
  private readonly durations = join(this.copy, DURATIONS);
  private took: Record<string, number> | undefined;
  private readonly switch: Switch = ((globalThis as Record<string, unknown>)[NAMESPACE] = {});

  constructor(options: StrykerOptions) {
    const folder = (options as unknown as { specs: string }).specs;
    const files = readdirSync(join(this.copy, folder), { recursive: true, encoding: 'utf8' });
    this.specs = files
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => join(folder, file))
      .sort();
    Object.assign(environment, { NODE_ENV: 'test', FORCE_COLOR: '0' });
    provideGlobals();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    const coverage: MutantCoverage = (this.switch.mutantCoverage = { static: {}, perTest: {} });
    const tests: TestResult[] = [];
    for (const spec of this.specs) {
      const hooks = `hooks of ${spec}`;
      // What runs as the sources load is static; what runs as the spec loads serves its tests
      this.switch.currentTestId = undefined;
      declareOnly(() => this.modules.load(join(this.copy, spec)));
      this.switch.currentTestId = hooks;
      const load = () => this.modules.loadAgain(join(this.copy, spec));
      const onTest = (id: string | undefined) => (this.switch.currentTestId = id ?? hooks);
      const outcomes = await runSpec({ spec, load, patience: () => LONGEST_MS, bail: false, onTest });
      shareOfHooks(
        coverage,
        hooks,
        outcomes.map(({ id }) => id),
      );
      tests.push(...outcomes.map((outcome) => resultOf(join(this.copy, spec), outcome)));
    }
    writeFileSync(
      this.durations,
      JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))),
    );
    return { status: 'complete' as never, tests, mutantCoverage: coverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    Object.assign(this.switch, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit ? 0 : undefined });
    environment[ACTIVE_MUTANT] = activeMutant.id;
    try {
      const only = testFilter && new Set(testFilter);
      const specs = this.specs.filter((spec) => !testFilter || testFilter.some((id) => id.startsWith(`${spec} `)));
      const first = await this.firstFailure(specs, only);
      // What one test of a spec made and kept, the others use without meeting the mutant themselves
      return only && first.status === SURVIVED ? await this.firstFailure(specs) : first;
    } finally {
      this.switch.activeMutant = '';
      delete environment[ACTIVE_MUTANT];
    }
  }

  private async firstFailure(specs: readonly string[], only?: ReadonlySet<string>): Promise<MutantRunResult> {
    let nrOfTests = 0;
    const took = (this.took ??= JSON.parse(readFileSync(this.durations, 'utf8')) as Record<string, number>);
    const patience = (id: string) => PATIENCE_MS + 20 * (took[id] ?? 0);
    for (const spec of specs) {
      const load = () => this.modules.load(join(this.copy, spec));
      const outcomes = await runSpec({
        spec,
        load,
        patience,
        bail: true,
        onTest: () => undefined,
        ...(only && { only }),
      });
      nrOfTests += outcomes.length;
      const { hitCount = 0, hitLimit = Infinity } = this.switch;
      if (hitCount > hitLimit) return { status: 'timeout' as never, reason: `hit ${hitCount} times` };
      const broken = outcomes.find(({ failure }) => failure !== undefined);
      if (broken)
        return {
          status: 'killed' as never,
          killedBy: [broken.id],
          failureMessage: broken.failure as string,
          nrOfTests,
        };
    }
    return { status: SURVIVED, nrOfTests };
  }
}
