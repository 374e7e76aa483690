export { setupOf, type Setup } from './setup';
export { SetupList } from './setup.view';
