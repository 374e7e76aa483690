export { isRecord, jsonObject, numberAt, recordAt, textAt } from './json';
export { runTill } from './program';
export { startTill, type RunningTill, type TillOptions } from './server';
export { Till, type Account } from './till';
export {
  ControlError,
  Refused,
  type Answer,
  type Call,
  type Json,
  type NoticeRow,
  type NoticeText,
  type Provider,
  type TillPayment,
} from './till.types';
