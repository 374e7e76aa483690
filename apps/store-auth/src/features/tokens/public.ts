// What other features of this app may use.
export type { TokenInspector } from './token-inspector';
