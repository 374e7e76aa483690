export * from './sandbox.types';
export { startWhatsAppSandbox } from './sandbox';
export { noFaults } from './fault.book';
export { loadLibrary, type Library } from './library';
