// What other features of this app may use.
export {
  CALLBACK,
  failureDraft,
  lanesOf,
  messageDraft,
  statusDraft,
  withFile,
  withoutFile,
  type CallbackDraft,
  type CallbackRow,
} from './callback.row';
