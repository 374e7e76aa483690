// What other features of this app may use.
export {
  CALLBACK,
  failureDraft,
  lanesOf,
  messageDraft,
  statusDraft,
  withFile,
  withLateFile,
  withoutFile,
  type CallbackDraft,
  type CallbackRow,
} from './callback.row';
