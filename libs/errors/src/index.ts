export * from './failure';
