export { type Setup, type SetupOf } from './setup';
export { SetupList } from './setup.view';
