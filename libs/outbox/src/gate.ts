import type { Sends } from '@platform/runtime';
import type { OutboxKind } from './outbox.types';

/** Decides which rows may be sent now. A row of an undeclared kind counts as outside. */
export class Gate {
  private readonly inside: ReadonlySet<string>;

  constructor(
    kinds: readonly OutboxKind[],
    private readonly sends: Sends,
  ) {
    this.inside = new Set(kinds.filter(({ effect }) => effect === 'inside').map(({ name }) => name));
  }

  /** Nothing may be sent: there is no need to claim lanes. */
  get isShut(): boolean {
    return this.sends.held && this.inside.size === 0;
  }

  /** Names of the kinds that may be sent; null: every row may. */
  get open(): readonly string[] | null {
    return this.sends.held ? [...this.inside] : null;
  }

  passes({ kind }: { readonly kind: string }): boolean {
    return !this.sends.held || this.inside.has(kind);
  }
}
