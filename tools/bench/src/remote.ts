import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

interface Call {
  readonly call: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly call: number;
  readonly result?: unknown;
  readonly failure?: string;
}

export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/** In a child: answers the calls of its parent by these methods. */
export const answerCalls = (methods: Methods): void => {
  process.on('message', ({ call, method, args }: Call) => {
    const answer = async (): Promise<unknown> =>
      (methods[method] as (...given: readonly unknown[]) => unknown)(...args);
    answer().then(
      (result) => process.send?.({ call, result } satisfies Answer),
      (failure: unknown) => process.send?.({ call, failure: String(failure) } satisfies Answer),
    );
  });
  process.on('disconnect', () => process.exit(0));
};

/** In the parent: the methods of a child that answers calls. */
export class Remote<M extends Methods> {
  private calls = 0;

  constructor(private readonly child: ChildProcess) {
    child.setMaxListeners(0);
  }

  async call<N extends keyof M & string>(method: N, ...args: Parameters<M[N]>): Promise<Awaited<ReturnType<M[N]>>> {
    const call = ++this.calls;
    const gone = once(this.child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${method}: the process ended with ${code}`)),
    );
    const answered = new Promise<Answer>((resolve) => {
      const listen = (answer: Answer): void => {
        if (answer.call !== call) return;
        this.child.off('message', listen);
        resolve(answer);
      };
      this.child.on('message', listen);
    });
    this.child.send({ call, method, args } satisfies Call);
    const { result, failure } = await Promise.race([answered, gone]);
    gone.catch(() => undefined);
    if (failure !== undefined) throw new Error(`${method}: ${failure}`);
    return result as Awaited<ReturnType<M[N]>>;
  }

  /** Ends the child with SIGKILL. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
