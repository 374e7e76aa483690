import { localUrl, type Ports, type SandboxName } from './ports';

export interface Sandbox {
  readonly name: SandboxName;
  readonly script: string;
  /** Answers 200 when it can be used. */
  readonly readyPath: string;
}

/** The stand-ins for third parties that exist; a new one is a row here. */
export const SANDBOXES: readonly Sandbox[] = [
  { name: 'mail', script: 'tools/sandboxes/mail/src/main.ts', readyPath: '/__sandbox/messages' },
  { name: 'llm', script: 'tools/sandboxes/llm/src/main.ts', readyPath: '/__sandbox/requests' },
];

export const sandboxUrl = ({ sandboxes }: Ports, name: SandboxName): string => localUrl(sandboxes[name]);
