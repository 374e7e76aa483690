import type { Transaction } from '@platform/data';
import type { Parameters, Upload } from '@platform/http';
import type { DtoClass } from '@platform/validation';
import type { ComponentChildren, JSX, VNode } from 'preact';
import type { Locale } from './i18n/locale';
import type { Reader } from './i18n/reader';
import type { OwnFiles } from './assets/asset.names';
import type { LiveStream } from './live/live.streams';
import type { PageAbility } from './session.guard';
import type { Typed } from './sessions/drafts';
import type { OpenSession } from './sessions/web.sessions';
import type { Viewer } from './viewer';

export type Params = Readonly<Record<string, string>>;

/** Who asks for a page, and for what. */
export interface Asked<Q> {
  readonly viewer: Viewer;
  readonly query: Q;
  readonly params: Params;
  /** How it is said to them. */
  readonly t: Reader;
  /** What was typed into a form of the page that came back; undefined: none has. */
  readonly typed?: Typed | undefined;
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

/** A page that goes on: it is told what happens as the HTML that the page itself would show. */
export interface LivePage<Q> {
  readonly asked: Asked<Q>;
  readonly stream: Pick<LiveStream, 'send' | 'every' | 'whenOver' | 'end' | 'isOver'>;
  /** With the tokens of their session as it is now. */
  viewer(): Viewer;
  html(part: VNode): string;
  /** For forms of a part that is sent. */
  form(): FormState;
}

/** A page that is shut to its reader, in the store that they are in or altogether. */
export interface Shut {
  readonly session: OpenSession;
  readonly params: Params;
  /** In words; not there: nobody says whether it is to others. */
  readonly why: { readonly title: string; readonly text?: string; readonly isMissing: boolean };
  /** What was typed into the form of it that was sent. */
  readonly typed: Typed;
  readonly csrf: string;
  readonly t: Reader;
}

export interface Instead {
  readonly title: string;
  readonly body: VNode;
  /** The store in which the page awaits what was typed. */
  readonly draftFor?: string | undefined;
}

/** One page of the back office. */
export interface PageDefinition<D, Q> {
  readonly get: string;
  readonly ability: PageAbility;
  readonly query?: DtoClass & (new () => Q);
  /** Of its address, where they are no ids of rows. */
  readonly params?: Parameters;
  readonly title: (shown: Asked<Q> & { readonly data: D }) => string;
  readonly load: (asked: Asked<Q>) => Promise<D> | D;
  readonly view: (shown: Shown<D, Q>) => JSX.Element;
  /** What is shown where the page is shut, if there is more to say than that; undefined: there is not. */
  readonly instead?: (shut: Shut) => Instead | undefined;
  /** Parts of the page by the id of the element that they replace: what htmx asks for. */
  readonly fragments?: Readonly<Record<string, (shown: Shown<D, Q>) => JSX.Element>>;
  /** Nobody keeps it: money, and what opens it. */
  readonly isSecret?: true;
  /** With a script and a style of its own, besides those of all pages. */
  readonly own?: OwnFiles;
  /** Whose pictures, sounds and films it shows, besides our own: an origin. */
  readonly media?: string | undefined;
  /** It offers to tell its reader of news while they look at no page. */
  readonly tells?: true;
  /** What happens while the page is open: resolves when it has told how things are, and goes on telling. */
  readonly live?: (live: LivePage<Q>) => Promise<void>;
  /** Where the arrow beside the title leads. */
  readonly back?: string;
  /** Beside the title. */
  readonly tools?: (shown: Shown<D, Q>) => ComponentChildren;
  /** What the inputs are called to people, by name and in their order on the page, for what is said of them. */
  readonly labels?: (t: Reader) => Readonly<Record<string, string>>;
  /** What a conflict is, by its code or its kind: in words, and at which input. */
  readonly conflicts?: Readonly<Record<string, { readonly field?: string; readonly text: (t: Reader) => string }>>;
  /** Texts of rules that no other page has, by their names. */
  readonly rules?: (
    t: Reader,
  ) => Readonly<Record<string, (given: { readonly label: string; readonly about: string }) => string>>;
}

export interface Running<B, P = undefined> {
  readonly viewer: Viewer;
  readonly params: Params;
  readonly body: B;
  /** The work and the answer are committed together, once for each form that was sent. */
  readonly tx: Transaction;
  /** Of the form that was sent: the same however often. */
  readonly key: string;
  /** What was sent along. */
  readonly files: readonly Upload[];
  /** What `before` resolved to. */
  readonly ready: P;
}

/** Before there is a transaction. */
type Beginning<B> = Omit<Running<B>, 'tx' | 'ready'>;

/** Where it goes on, and what is said there. */
export interface Done {
  readonly to: string;
  readonly flash?: string;
  /** What this browser is spoken to in from now on, also before somebody signs in. */
  readonly language?: Locale;
  /** What this browser is known by from now on, whoever signs in. */
  readonly browser?: string;
}

/** What one form does. */
export interface Action<B extends object, R, P = undefined> {
  readonly body?: DtoClass<B> & (new () => B);
  /** What was typed as the body reads it, where the form asks for it otherwise. */
  readonly reads?: (typed: Typed) => Typed;
  /** The input that a field of the body was typed into, where `reads` moves it. */
  readonly typedAt?: (name: string, typed: Typed) => string;
  /** Whether a button was pressed that only looks something up: the page comes back with what was typed, and nothing is done. */
  readonly looks?: (typed: Typed) => boolean;
  /**
   * What opens transactions of its own, or waits for others, such as a provider: the form's transaction begins only afterwards, so that nobody
   * waits with a connection in hand. Done once for a form however often it is sent, but again after a failure: of this or of `run`.
   */
  readonly before?: (beginning: Beginning<B>) => Promise<P>;
  readonly run: (running: Running<B, P>) => Promise<R>;
  /**
   * What the page shows this once instead of going on, such as a secret: it is added to what the page loads. It is kept for a form
   * that was sent twice at once, sealed for its browser; sent again after a minute, the form goes on to where `done` says.
   */
  readonly shows?: (result: R) => object;
  readonly done: (result: R, context: { readonly t: Reader; readonly params: Params }) => Done;
}

/** What one form does whose work another service does, and counts once by an id that the form carries: no transaction of ours waits for it. */
export interface OwnersAction<B extends object, R> extends Omit<Action<B, R>, 'run' | 'before'> {
  readonly run: (running: Beginning<B>) => Promise<R>;
}

/** With its types erased. */
export type AnyAction = Action<object, unknown, unknown>;
