import type { Transaction } from '@platform/data';
import type { DtoClass } from '@platform/validation';
import type { ComponentChildren, JSX } from 'preact';
import type { Reader } from './i18n/reader';
import type { PageAbility } from './session.guard';
import type { Typed } from './sessions/drafts';
import type { Viewer } from './viewer';

export type Params = Readonly<Record<string, string>>;

/** Who asks for a page, and for what. */
export interface Asked<Q> {
  readonly viewer: Viewer;
  readonly query: Q;
  readonly params: Params;
  /** How it is said to them. */
  readonly t: Reader;
}

/** The forms of a page: empty, or as one of them came back. */
export interface FormState {
  /** Which form of the page came back. */
  readonly action?: string;
  /** As they were typed. */
  readonly fields: Typed;
  /** What is wrong, by the name of the input. */
  readonly errors: Readonly<Record<string, string>>;
  /** Over the form. */
  readonly alert?: string;
  /** Somebody else has changed what this form changes: what is there now stands beside what was typed. */
  readonly isStale?: boolean;
  /** Proves that a form is one of ours; new in each. */
  readonly csrf: string;
  /** By which a form that is sent twice counts once. */
  readonly key: string;
}

export interface Shown<D, Q = Record<never, never>> extends Asked<Q> {
  readonly data: D;
  readonly form: FormState;
}

/** One page of the back office. */
export interface PageDefinition<D, Q> {
  readonly get: string;
  readonly ability: PageAbility;
  readonly query?: DtoClass & (new () => Q);
  readonly title: (shown: Asked<Q> & { readonly data: D }) => string;
  readonly load: (asked: Asked<Q>) => Promise<D> | D;
  readonly view: (shown: Shown<D, Q>) => JSX.Element;
  /** Parts of the page by the id of the element that they replace: what htmx asks for. */
  readonly fragments?: Readonly<Record<string, (shown: Shown<D, Q>) => JSX.Element>>;
  /** Where the arrow beside the title leads. */
  readonly back?: string;
  /** Beside the title. */
  readonly tools?: (shown: Shown<D, Q>) => ComponentChildren;
  /** What the inputs are called to people, by name and in their order on the page, for what is said of them. */
  readonly labels?: (t: Reader) => Readonly<Record<string, string>>;
  /** What a conflict is, by its code or its kind: in words, and at which input. */
  readonly conflicts?: Readonly<Record<string, { readonly field?: string; readonly text: (t: Reader) => string }>>;
}

export interface Running<B> {
  readonly viewer: Viewer;
  readonly params: Params;
  readonly body: B;
  /** The work and the answer are committed together, once for each form that was sent. */
  readonly tx: Transaction;
}

/** Where it goes on, and what is said there. */
export interface Done {
  readonly to: string;
  readonly flash?: string;
}

/** What one form does. */
export interface Action<B extends object, R> {
  readonly body?: DtoClass<B> & (new () => B);
  readonly run: (running: Running<B>) => Promise<R>;
  readonly done: (result: R, context: { readonly t: Reader; readonly params: Params }) => Done;
}

/** With its types erased. */
export type AnyAction = Action<object, unknown>;
