/**
 * The fake WhatsApp, for specs that run with `@jest-environment ../../tools/jest/native-import.environment.cjs`. A separate
 * entry (`@platform/testing/whatsapp`), so that other specs need not load it.
 */
export * from '@platform/sandbox-whatsapp';
