/**
 * The fake WhatsApp, for specs that run with `@jest-environment ../../tools/jest/native-import.environment.cjs`. An entry of its
 * own (`@platform/testing/whatsapp`): the other specs need not load it.
 */
export * from '@platform/sandbox-whatsapp';
